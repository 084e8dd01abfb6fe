import { type Database, scoped, withoutScopedTables } from '@profile-service/db';
import type { Step } from '../run.ts';
import type { Transactions } from '../transactions.ts';

/**
 * Gives a GET handler the database. If the client disconnects, the running statement is cancelled, except in a transaction that the handler has opened.
 */
export const openDatabase =
  (database: Database, transactions: Transactions): Step =>
  (context) => {
    const { organizationScope } = context.caller;
    const executor = database.executorOf(context.abort);
    context.db = withoutScopedTables(executor);
    context.scoped = scoped(executor, organizationScope);
    context.transaction = (work) => transactions.run(organizationScope, work);
  };
