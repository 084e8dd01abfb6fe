import type { Transaction } from '../../handler/handler.ts';
import type { RequestContext } from '../context.ts';
import { runSteps, type Step } from '../run.ts';
import type { Transactions } from '../transactions.ts';

/** Runs the steps in one transaction and commits it. A transaction that ends in a deadlock is run again. */
export const inTransaction =
  (transactions: Transactions, steps: readonly Step[]): Step =>
  (context) =>
    transactions.run(context.caller.organizationScope, async (transaction) => {
      use(context, transaction);
      await runSteps(context, steps);
    });

function use(context: RequestContext, { db, scoped, invalidateCallers, afterCommit }: Transaction): void {
  context.db = db;
  context.scoped = scoped;
  context.invalidateCallers = invalidateCallers;
  context.afterCommit = afterCommit;
}
