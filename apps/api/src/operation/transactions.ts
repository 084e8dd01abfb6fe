import type { CallerCache } from '@profile-service/auth';
import {
  type CallerInvalidation,
  type Database,
  isDeadlock,
  mergeCallerInvalidations,
  notifyCallerInvalidation,
  type OrganizationScope,
  scoped,
  uncancellable,
  withoutScopedTables,
} from '@profile-service/db';
import type { Transaction } from '../handler/handler.ts';

export interface Transactions {
  /** Runs the work in a transaction whose scoped tables are those of the scope, and commits it. */
  run<T>(scope: OrganizationScope, work: (transaction: Transaction) => Promise<T>): Promise<T>;
}

const maxAttempts = 5;

/**
 * Creates transactions that invalidate cached callers: on the other instances with the commit itself, on this one before the caller has the response. A
 * transaction that PostgreSQL ended because of a deadlock left nothing behind and is run again.
 */
export function createTransactions({ db }: Database, cache: CallerCache): Transactions {
  return {
    run: (scope, work) =>
      uncancellable(async () => {
        for (let attempt = 1; ; attempt += 1) {
          try {
            return await runOnce(scope, work);
          } catch (error) {
            if (!isDeadlock(error) || attempt === maxAttempts) throw error;
          }
        }
      }),
  };

  async function runOnce<T>(scope: OrganizationScope, work: (transaction: Transaction) => Promise<T>): Promise<T> {
    const invalidations: CallerInvalidation[] = [];
    const effects: (() => void)[] = [];
    const result = await db.transaction().execute(async (trx) => {
      const handlerDatabase = withoutScopedTables(trx);
      const returned = await work({
        db: handlerDatabase,
        scoped: scoped(handlerDatabase, scope),
        invalidateCallers: (invalidation) => invalidations.push(invalidation),
        afterCommit: (effect) => effects.push(effect),
      });
      if (invalidations.length > 0) await notifyCallerInvalidation(trx, mergeCallerInvalidations(invalidations));
      return returned;
    });
    if (invalidations.length > 0) await cache.invalidate(mergeCallerInvalidations(invalidations));
    for (const effect of effects) effect();
    return result;
  }
}
