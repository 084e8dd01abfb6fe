import { cancellable, type Database, scoped, withoutScopedTables } from '@profile-service/db';
import { runSteps, type Step } from '../run.ts';
import type { Transactions } from '../transactions.ts';

/** Opens the database for a read. When the client goes away, the statement that runs is cancelled; one in a transaction of the handler's own is not. */
export const readDatabase = ({ db }: Database, transactions: Transactions, steps: readonly Step[]): Step => {
  const handlerDatabase = withoutScopedTables(db);
  return (context) => {
    const { organizationScope } = context.caller;
    context.db = handlerDatabase;
    context.scoped = scoped(handlerDatabase, organizationScope);
    context.transaction = (work) => transactions.run(organizationScope, work);
    return cancellable(context, () => runSteps(context, steps));
  };
};
