import { type Database, scoped, unscoped } from '@profile-service/db';
import type { Caller } from '@profile-service/auth';
import type { RequestContext } from '../context.ts';
import type { RequestDependencies } from '../dependencies.ts';
import { defineStep } from '../step.ts';
import type { Tables } from '../transaction.ts';

/**
 * Gives the work the tables of the read replica or of the primary. If the work fails on the replica, runs it again on the primary. If the client disconnects, the
 * running statement is cancelled.
 */
export const withReadDatabase = defineStep(
  'with-read-database',
  async <T>(
    context: RequestContext,
    { database: primary, replica }: RequestDependencies,
    { organizationScope }: Caller,
    work: (tables: Tables) => Promise<T>,
  ): Promise<T> => {
    const { abort } = context.request;
    const readFrom = (database: Database) => {
      const executor = database.executorOf(abort);
      return work({ unscoped: unscoped(executor), scoped: scoped(executor, organizationScope) });
    };
    const chosen = replica?.databaseFor(organizationScope);
    if (!replica || !chosen) return readFrom(primary);
    try {
      return await readFrom(chosen);
    } catch (error) {
      abort.throwIfAborted();
      replica.assertRepeatable(error);
      return readFrom(primary);
    }
  },
);
