import { defineStep, runSteps, type Step } from '../run.ts';
import type { Transactions } from '../transactions.ts';
import { originOf } from '../write-origin.ts';

/** Runs the steps in a transaction and commits it. After a deadlock or a change of the schema, runs them again in a new transaction. */
export const inTransaction = (transactions: Transactions, steps: readonly Step[]): Step =>
  defineStep('in-transaction', (context) =>
    transactions.run(
      context.caller.organizationScope,
      () => originOf(context),
      async (transaction) => {
        Object.assign(context, transaction);
        context.openTransaction = transaction;
        await runSteps(context, steps);
      },
    ),
  );
