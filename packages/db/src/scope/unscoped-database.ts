import type { Executor } from '../connection/executor.ts';
import { TransactionExecutor } from '../connection/transaction.ts';
import type { UnscopedReason } from './unscoped-tables.ts';
import { StatementRunner } from '../queries/runner.ts';

/** The database or transaction of a handler, without access to the scoped tables. It runs compiled statements only. */
export class HandlerDatabase extends StatementRunner<'unscoped'> {
  constructor(executor: Executor) {
    super(executor, { kind: 'none' });
  }

  /** Only for this package. */
  static executorOf(db: HandlerDatabase): Executor {
    return db.executor;
  }
}

/** Wraps an executor for handlers: without access to the scoped tables. */
export function withoutScopedTables(executor: Executor): HandlerDatabase {
  return new HandlerDatabase(executor);
}

/** Returns the transaction to which the database belongs, for plain SQL. */
export function transactionOf(db: HandlerDatabase, _reason: UnscopedReason): TransactionExecutor {
  const executor = HandlerDatabase.executorOf(db);
  if (executor instanceof TransactionExecutor) return executor;
  throw new Error('Not in a transaction');
}
