import { type ImportRowResult, saveImportResults } from '@profile-service/db';
import type { FileRow } from '@profile-service/record-files';
import type { Transaction } from '../request/transaction.ts';
import type { Transactions } from '../request/transactions.ts';
import { DryRunEnd, dryRunDependencies, earlierRows, keysOf, rememberRow } from './dry-run.ts';
import { originOfRow, type RowContext, runRow } from './run-row.ts';

/** More rows of a transaction would slow down the readers of the database: each row has a subtransaction, of which PostgreSQL remembers 64. */
export const maxRowsOfChunk = 60;
/** After this time, a transaction gets no further rows, in milliseconds. An open transaction holds back the readers of events; it may take 250 ms. */
const maxChunkMs = 150;

/** The rows were done by another process, or the import has ended. */
export class ImportTakenError extends Error {}

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
 * Does the next rows in one transaction, together with their results, so that each row is done exactly once. A row that fails has a subtransaction of its own.
 * @returns the number of rows that were done: fewer than given if they take long
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

const doRows = (chunk: Chunk): Promise<ImportRowResult[]> =>
  inTransaction(chunk, async (transaction) => {
    const results = await runRows(chunk, transaction);
    await saveResults(chunk, transaction, results);
    return results;
  });

/** A dry run: the rows are undone, and their results stored. */
async function tryRows(chunk: Chunk): Promise<readonly ImportRowResult[]> {
  const { context, rows, before, mayBeDuplicate } = chunk;
  const { id, type } = context.importRow;
  const duplicatesOf = (row: FileRow) => keysOf(type, row).filter(mayBeDuplicate);
  const keys = rows.flatMap(duplicatesOf);
  const earlier = keys.length === 0 ? [] : await inTransaction(chunk, ({ unscoped }) => earlierRows(unscoped, { id, keys, before }));
  const inputs = [...earlier, ...rows].map(({ input }) => input);
  const dependencies = await dryRunDependencies(context.dependencies, context.endpoints.create, inputs);
  const trial = { ...chunk, context: { ...context, dependencies } };
  const results = await inTransaction(chunk, async (transaction): Promise<readonly ImportRowResult[]> => {
    for (const { row, input } of earlier) await runRow(trial.context, transaction, { row, input, line: 0, errors: [], cells: [] });
    throw new DryRunEnd(await runRows(trial, transaction));
  }).catch((error: unknown) => {
    if (error instanceof DryRunEnd) return error.results;
    throw error;
  });
  await inTransaction(chunk, async (transaction) => {
    for (const [index, { status }] of results.entries()) {
      const row = rows[index] as FileRow;
      if (status === 'CREATED' || status === 'UPDATED') await rememberRow(transaction.unscoped, id, row, duplicatesOf(row));
    }
    await saveResults(chunk, transaction, results);
  });
  return results;
}

/** Runs the rows in their order. PostgreSQL works on a row while the next one is prepared, unless that needs to know which record exists. */
async function runRows({ context, rows }: Chunk, transaction: Transaction): Promise<ImportRowResult[]> {
  const results: Promise<ImportRowResult>[] = [];
  const endsAt = performance.now() + maxChunkMs;
  let hasThrown = false;
  for (const row of rows) {
    const { promise: sent, resolve: onSent } = Promise.withResolvers<void>();
    const result = runRow(context, transaction, row, context.importRow.mode === 'upsert' ? undefined : onSent);
    results.push(result);
    result.catch(() => (hasThrown = true));
    await Promise.race([sent, result]).catch(() => undefined);
    if (hasThrown || performance.now() > endsAt) break;
  }
  // Two rows may still run. They must end before the transaction.
  await Promise.allSettled(results);
  return Promise.all(results);
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
