import { type Database, scoped, withoutScopedTables } from '@profile-service/db';
import type { Transaction } from '../handler.ts';
import { defineStep, runSteps, type Step } from '../run.ts';
import type { Transactions } from '../transactions.ts';
import { originOf } from '../write-origin.ts';

/**
 * Gives a handler marked `ownsTransaction` the database and `transaction`. Each of its transactions takes a database slot, so that the handler occupies no slot
 * while it calls the identity provider or the storage.
 * @param withSlot returns a step that runs the given steps in a database slot
 * @param atBegin steps that run first in each transaction
 */
export function ownTransactions(
  { executor }: Database,
  transactions: Transactions,
  withSlot: (steps: readonly Step[]) => Step,
  atBegin: readonly Step[],
): Step {
  const handlerDatabase = withoutScopedTables(executor);
  return defineStep('own-transactions', (context) => {
    context.db = handlerDatabase;
    context.scoped = scoped(executor, context.caller.organizationScope);
    context.transaction = async <T>(work: (transaction: Transaction) => Promise<T>) => {
      let result: T | undefined;
      const run = defineStep('in-transaction', async ({ caller }) => {
        result = await transactions.run(
          caller.organizationScope,
          () => originOf(context),
          async (transaction) => {
            context.openTransaction = transaction;
            await runSteps(context, atBegin);
            if (!context.storeOutput) return work(transaction);
            // The response is stored after the handler's last statement, so that statement must not commit.
            transaction.commitLater();
            const output = await work(transaction);
            await context.storeOutput(transaction, output);
            return output;
          },
        );
      });
      await runSteps(context, [withSlot([run])]);
      return result as T;
    };
  });
}
