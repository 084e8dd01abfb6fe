import { type DryRunRecord, type ImportRowResult, saveImportResults } from '@profile-service/db';
import type { FileRow } from '@profile-service/record-files';
import type { Transaction } from '../request/transaction.ts';
import type { Transactions } from '../request/transactions.ts';
import { dryRunDependencies, earlierRows, keysOf, rememberRow } from './dry-run.ts';
import { FailedRowError, originOfRow, type RowContext, runRow } from './run-row.ts';

/** Most rows of a transaction. More are no faster, and with 100 the requests of others wait longer (D-231). */
export const maxRowsOfChunk = 30;
/** After this time, a transaction gets no further rows, in milliseconds. An open transaction holds back the readers of events; it may take 250 ms. */
const maxChunkMs = 150;

/** The rows were done by another process, or the import has ended. */
export class ImportTakenError extends Error {}

/** Undoes the transaction of some rows. */
class UndoneRowsError extends Error {
  /** Of a failed transaction, the last result says which row has failed. */
  readonly results: readonly ImportRowResult[];

  constructor(results: readonly ImportRowResult[]) {
    super('The rows are undone');
    this.results = results;
  }
}

export interface Chunk {
  context: RowContext;
  transactions: Transactions;
  /** The next rows of the file. */
  rows: readonly FileRow[];
  /** Number of rows before them. */
  before: number;
  dryRun: boolean;
  /** As in the summary of the file. */
  mayBeDuplicate(key: string): boolean;
}

/**
 * Does the next rows in one transaction, together with their results, so that each row is done exactly once. It ends with the first row that fails.
 * @returns the number of rows that were done: fewer than given if one fails, or if they take long
 * @throws ImportTakenError, and what may pass
 */
export async function runChunk(chunk: Chunk): Promise<number> {
  const results = await (chunk.dryRun ? tryRows(chunk) : doRows(chunk));
  return results.length;
}

/** Runs work in a transaction whose rows record their own changes. */
export const inTransaction = <T>({ context, transactions }: Chunk, work: (transaction: Transaction) => Promise<T>): Promise<T> => {
  const { caller, importRow, endpoints } = context;
  // Each row records its own changes: at the commit, there are no others.
  return transactions.run(caller.organizationScope, () => originOfRow(importRow, endpoints.create, caller, {}), work, 'response');
};

/** @param bad the result of the row after these: it has failed, which has undone the rows */
async function doRows(chunk: Chunk, bad?: ImportRowResult): Promise<readonly ImportRowResult[]> {
  try {
    return await inTransaction(chunk, async (transaction) => {
      const done = await runRows(chunk, transaction);
      const results = bad && done.length === chunk.rows.length ? [...done, bad] : done;
      await saveResults(chunk, transaction, results);
      return results;
    });
  } catch (error) {
    if (!(error instanceof UndoneRowsError)) throw error;
    return doRows({ ...chunk, rows: chunk.rows.slice(0, error.results.length - 1) }, error.results.at(-1));
  }
}

/** A dry run: the rows are undone, and their results stored. */
async function tryRows(chunk: Chunk): Promise<readonly ImportRowResult[]> {
  const { context, rows, before, mayBeDuplicate } = chunk;
  const { id, type } = context.importRow;
  const duplicatesOf = (row: FileRow) => keysOf(type, row).filter(mayBeDuplicate);
  const keys = rows.flatMap(duplicatesOf);
  const earlier = keys.length === 0 ? [] : await inTransaction(chunk, ({ unscoped }) => earlierRows(unscoped, { id, keys, before }));
  const inputs = [...earlier, ...rows].map(({ input }) => input);
  const dependencies = await dryRunDependencies(context.dependencies, context.endpoints.create, inputs);
  const results = await undoRows({ ...chunk, context: { ...context, dependencies } }, earlier);
  await inTransaction(chunk, async (transaction) => {
    for (const [index, { status }] of results.entries()) {
      const row = rows[index] as FileRow;
      if (status === 'CREATED' || status === 'UPDATED') await rememberRow(transaction.unscoped, id, row, duplicatesOf(row));
    }
    await saveResults(chunk, transaction, results);
  });
  return results;
}

/** Runs the rows after the earlier ones, and rolls back. An earlier row that fails by now is left out. */
async function undoRows(chunk: Chunk, earlier: readonly DryRunRecord[]): Promise<readonly ImportRowResult[]> {
  try {
    return await inTransaction(chunk, async (transaction) => {
      for (const { row, input } of earlier) await runRow(chunk.context, transaction, { row, input, line: 0, errors: [], cells: [] });
      throw new UndoneRowsError(await runRows(chunk, transaction));
    });
  } catch (error) {
    if (error instanceof UndoneRowsError) return error.results;
    if (!(error instanceof FailedRowError)) throw error;
    return undoRows(
      chunk,
      earlier.filter(({ row }) => row !== error.result.row),
    );
  }
}

/**
 * Runs the rows in their order. PostgreSQL works on one row while the next one is prepared, unless that needs to know which record exists.
 * @throws UndoneRowsError with the results up to the first row that fails, and what may pass
 */
async function runRows({ context, rows }: Chunk, transaction: Transaction): Promise<ImportRowResult[]> {
  const running: Promise<ImportRowResult>[] = [];
  const endsAt = performance.now() + maxChunkMs;
  let hasFailed = false;
  for (const row of rows) {
    const { promise: sent, resolve: onSent } = Promise.withResolvers<void>();
    const result = runRow(context, transaction, row, context.importRow.mode === 'upsert' ? undefined : onSent);
    running.push(result);
    result.catch(() => (hasFailed = true));
    await Promise.race([sent, result]).catch(() => undefined);
    // At most two rows run at once.
    await running.at(-2)?.catch(() => undefined);
    if (hasFailed || performance.now() > endsAt) break;
  }
  const results: ImportRowResult[] = [];
  // All rows must end before the transaction.
  for (const end of await Promise.allSettled(running)) {
    if (end.status === 'fulfilled') results.push(end.value);
    else if (end.reason instanceof FailedRowError) throw new UndoneRowsError([...results, end.reason.result]);
    else throw end.reason;
  }
  return results;
}

/** Stores the results. Throws ImportTakenError. */
export async function saveResults(
  { context, before }: Pick<Chunk, 'context' | 'before'>,
  { unscoped }: Pick<Transaction, 'unscoped'>,
  results: readonly ImportRowResult[],
): Promise<void> {
  const { saved } = await unscoped.one(saveImportResults, { id: context.importRow.id, before, results: JSON.stringify(results) });
  if (!saved) throw new ImportTakenError();
}
