import type { Executor } from '../connection/executor.ts';
import { TransactionExecutor } from '../connection/transaction.ts';
import type { UnscopedReason } from '../scope/unscoped-tables.ts';
import { StatementRunner } from './runner.ts';

/** The database or transaction of a handler, without access to the scoped tables. It runs compiled statements only. */
export class UnscopedDatabase extends StatementRunner<'unscoped'> {
  constructor(executor: Executor) {
    super(executor, { kind: 'none' });
  }

  /** Only for this package. */
  static executorOf(db: UnscopedDatabase): Executor {
    return db.executor;
  }
}

/** Wraps an executor for handlers: without access to the scoped tables. */
export function unscoped(executor: Executor): UnscopedDatabase {
  return new UnscopedDatabase(executor);
}

/** Returns the transaction to which the database belongs, for plain SQL. */
export function transactionOf(db: UnscopedDatabase, _reason: UnscopedReason): TransactionExecutor {
  const executor = UnscopedDatabase.executorOf(db);
  if (executor instanceof TransactionExecutor) return executor;
  throw new Error('Not in a transaction');
}
