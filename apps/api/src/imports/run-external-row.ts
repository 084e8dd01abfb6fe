import { type Executor, type ImportRowResult, scoped, unscoped } from '@profile-service/db';
import type { FileRow } from '@profile-service/record-files';
import type { AnyExternal } from '../request/handler.ts';
import type { RunInTransaction, Transaction } from '../request/transaction.ts';
import { findExisting } from './find-existing.ts';
import { type Chunk, ImportTakenError, inTransaction, runChunk, saveResults } from './run-chunk.ts';
import { acceptRow, failed, idOf, rowProblem } from './run-row.ts';

/**
 * Does a row whose endpoint calls the identity provider: outside of a transaction, except for its last one, which also stores the result. A repetition after a
 * crash finds the identity.
 * @param executor reads outside of the transaction
 * @param waitForUser waits until another user may be created
 * @throws ImportTakenError, and what may pass
 */
export async function runExternalRow(chunk: Chunk, row: FileRow, executor: Executor, waitForUser: () => Promise<void>): Promise<number> {
  const { context, before } = chunk;
  const { caller, importRow, endpoints, dependencies } = context;
  const tables = { unscoped: unscoped(executor), scoped: scoped(executor, caller.organizationScope) };
  const existing = importRow.mode === 'upsert' ? await findExisting(tables, importRow.type, row.input['federalTaxId']) : undefined;
  // A change of a user calls no other system.
  if (row.errors.length > 0 || existing !== undefined) return runChunk({ ...chunk, rows: [row] });
  await waitForUser();

  const handler = endpoints.create.compiled.handler as AnyExternal;
  const save = (transaction: Transaction, result: ImportRowResult) => saveResults({ context, before }, transaction, [result]);
  const transaction: RunInTransaction = (work) =>
    inTransaction(chunk, async (tx) => {
      const returned = await work(tx);
      await save(tx, { row: row.row, status: 'CREATED', id: idOf(returned), code: null, errors: [] });
      return returned;
    });
  try {
    const input = acceptRow(context, endpoints.create, row.input);
    const handlerContext = { ...dependencies, ...tables, input, caller, transaction } as never;
    await handler.check?.(handlerContext);
    await handler.run(handlerContext);
  } catch (error) {
    if (error instanceof ImportTakenError) throw error;
    const result = failed(row, rowProblem(context, error, endpoints.create));
    await inTransaction(chunk, (tx) => save(tx, result));
  }
  return 1;
}
