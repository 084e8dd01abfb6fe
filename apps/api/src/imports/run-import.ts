import { setTimeout as pause } from 'node:timers/promises';
import { activeTenantId, type Authenticator, type UserCaller } from '@profile-service/auth';
import { contract, type Endpoint, type ErrorCode, type ImportTypeName, ProblemError } from '@profile-service/contracts';
import { type Database, finishImport, type ImportRow, startImport } from '@profile-service/db';
import { type FileRow, InvalidFileError, openRecordFile } from '@profile-service/record-files';
import type { HandlerDependencies } from '../request/handler.ts';
import { authorizeCaller } from '../request/steps/admit.ts';
import type { Transactions } from '../request/transactions.ts';
import { readClaims } from './claims.ts';
import { countRows, type FileSummary } from './count-rows.ts';
import { invalidFile, readOptionsOf } from './import-files.ts';
import type { RowEndpoints } from './row-endpoints.ts';
import { type Chunk, ImportTakenError, maxRowsOfChunk, runChunk } from './run-chunk.ts';
import { runExternalRow } from './run-external-row.ts';

export interface ImportDependencies {
  authenticator: Pick<Authenticator, 'load'>;
  /** On connections of its own, so that imports leave those of requests free. */
  database: Database;
  transactions: Transactions;
  rowEndpoints: ReadonlyMap<ImportTypeName, RowEndpoints>;
  handlerDependencies: HandlerDependencies;
  /** Waits until another user may be created: 10 in a second. */
  waitForUser(signal: AbortSignal): Promise<void>;
}

/** Errors that end an import: its file cannot be read, or its creator may not do it any more. */
const isFinal = (code: ErrorCode): boolean =>
  !['SERVICE_UNAVAILABLE', 'IDENTITY_PROVIDER_UNAVAILABLE', 'RATE_LIMITED', 'INTERNAL_ERROR'].includes(code);

/**
 * Runs an import from its first row without a result to its end.
 * @param isRepeated whether its last run failed in the transaction that begins with this row. The next rows are done alone, and an unexpected error of the first
 *   one fails only that row
 * @throws what may pass; the import continues when it is run again
 */
export async function runImport(
  importRow: ImportRow,
  dependencies: ImportDependencies,
  signal: AbortSignal,
  isRepeated: boolean,
): Promise<void> {
  const { id } = importRow;
  const { database } = dependencies;
  try {
    if (!(await startImport(database, id, null))) return;
    await requireFile(importRow, dependencies);
    const summary = await summarize(importRow, dependencies);
    if (!(await startImport(database, id, summary.rows))) return;
    await doRows(importRow, dependencies, summary, signal, isRepeated);
    await finishImport(database, id, { status: 'COMPLETED', code: null, message: null });
  } catch (error) {
    if (error instanceof ImportTakenError) return;
    const problem = error instanceof InvalidFileError ? invalidFile(error) : error;
    if (!(problem instanceof ProblemError) || !isFinal(problem.code)) throw problem;
    await finishImport(database, id, { status: 'FAILED', code: problem.code, message: problem.message });
  }
}

/** Throws FailedToDownloadFileError if the storage says that it has no such file. */
async function requireFile({ filePath }: ImportRow, { handlerDependencies: { importFiles } }: ImportDependencies): Promise<void> {
  if (!(await importFiles.has(filePath)))
    throw new ProblemError('FailedToDownloadFileError', { detail: 'The file is not in the storage.' });
}

/** Reads the file from its beginning. A storage that fails is no reason to end the import. */
async function* readRows(importRow: ImportRow, { handlerDependencies: { importFiles } }: ImportDependencies): AsyncGenerator<FileRow[]> {
  const content = await importFiles.open(importRow.filePath).catch((error: unknown) => {
    throw new ProblemError('SERVICE_UNAVAILABLE', { cause: error });
  });
  const { rows } = await openRecordFile(content, readOptionsOf(importRow));
  yield* rows;
}

const summarize = (importRow: ImportRow, dependencies: ImportDependencies): Promise<FileSummary> =>
  countRows(readRows(importRow, dependencies), importRow.type, importRow.dryRun);

async function doRows(
  importRow: ImportRow,
  dependencies: ImportDependencies,
  { mayBeDuplicate }: FileSummary,
  signal: AbortSignal,
  isRepeated: boolean,
): Promise<void> {
  const { transactions, handlerDependencies, database, rowEndpoints, waitForUser } = dependencies;
  const endpoints = rowEndpoints.get(importRow.type) as RowEndpoints;
  const isExternal = endpoints.create.compiled.handler.kind === 'external' && !importRow.dryRun;
  let before = importRow.processed;
  let most = maxRowsOfChunk;
  for await (const part of readRows(importRow, dependencies)) {
    // Rows that have a result already.
    let rows = part.filter(({ row }) => row > before);
    while (rows.length > 0) {
      signal.throwIfAborted();
      const caller = await loadCaller(importRow, endpoints.create.compiled.endpoint, dependencies);
      const isFirst = before === importRow.processed;
      const context = { importRow, endpoints, caller, dependencies: handlerDependencies, isRepeated: isRepeated && isFirst };
      // One of the next rows has failed, and the others of its transaction with it. Alone, only that row fails again.
      const isAlone = isExternal || (isRepeated && before < importRow.processed + maxRowsOfChunk);
      const next = rows.slice(0, isAlone ? 1 : most);
      const chunk: Chunk = { context, transactions, rows: next, before, dryRun: importRow.dryRun, mayBeDuplicate };
      const done = await (isExternal
        ? runExternalRow(chunk, rows[0] as FileRow, database.executor, () => waitForUser(signal))
        : runChunk(chunk));
      before += done;
      // The more rows fail, the fewer should run in vain before the next one.
      most = done < next.length ? done : Math.min(2 * most, maxRowsOfChunk);
      rows = rows.filter(({ row }) => row > before);
    }
  }
}

/** Loads the creator with their access of now, in the tenant of the upload. Throws the reason why they may not import rows of this type. */
async function loadCaller({ claims, tenantId }: ImportRow, create: Endpoint, { authenticator }: ImportDependencies): Promise<UserCaller> {
  const caller = (await authenticator.load('user', readClaims(claims), tenantId ?? '')) as UserCaller;
  for (const endpoint of [contract.imports.create, create]) authorizeCaller(endpoint, caller);
  // A user who was Global without a tenant may have one now: that of their only membership.
  if (activeTenantId(caller) !== tenantId) throw new ProblemError('TENANT_NOT_ALLOWED');
  return caller;
}

/** Creates the function that waits for the next of 10 users in a second. */
export function createUserRate(perSecond: number): ImportDependencies['waitForUser'] {
  let nextAt = 0;
  return async (signal) => {
    const waitMs = nextAt - performance.now();
    nextAt = Math.max(nextAt, performance.now()) + 1000 / perSecond;
    if (waitMs > 0) await pause(waitMs, undefined, { signal });
  };
}
