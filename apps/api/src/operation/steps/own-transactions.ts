import { type Database, scoped, withoutScopedTables } from '@profile-service/db';
import type { Transaction } from '../../handler/handler.ts';
import { runSteps, type Step } from '../run.ts';
import type { Transactions } from '../transactions.ts';

/**
 * Gives the handler the database and a way to open transactions of its own: it calls the provider or the storage, which no transaction may span. Each
 * transaction takes a database slot, so that the handler holds none while it waits for them.
 * @param withSlot wraps steps into those that take the slot
 */
export function ownTransactions({ db }: Database, transactions: Transactions, withSlot: (steps: readonly Step[]) => Step): Step {
  const handlerDatabase = withoutScopedTables(db);
  return (context) => {
    context.db = handlerDatabase;
    context.scoped = scoped(handlerDatabase, context.caller.organizationScope);
    context.transaction = async <T>(work: (transaction: Transaction) => Promise<T>) => {
      let result: T | undefined;
      const run: Step = async ({ caller }) => {
        result = await transactions.run(caller.organizationScope, work);
      };
      await runSteps(context, [withSlot([run])]);
      return result as T;
    };
  };
}
