import { cancellable, type Database, scoped, withoutScopedTables } from '@profile-service/db';
import { runSteps, type Step } from '../run.ts';
import type { Transactions } from '../transactions.ts';

/**
 * Gives a GET handler the database and runs the steps. If the client disconnects, the running statement is cancelled, except in a transaction that the handler
 * has opened.
 */
export const withCancellableReads = ({ db }: Database, transactions: Transactions, steps: readonly Step[]): Step => {
  const handlerDatabase = withoutScopedTables(db);
  return (context) => {
    const { organizationScope } = context.caller;
    context.db = handlerDatabase;
    context.scoped = scoped(handlerDatabase, organizationScope);
    context.transaction = (work) => transactions.run(organizationScope, work);
    return cancellable(context, () => runSteps(context, steps));
  };
};
