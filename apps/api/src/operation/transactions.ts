import type { CallerCache } from '@profile-service/auth';
import {
  type CallerInvalidation,
  type Database,
  isDeadlock,
  notifyCallerInvalidation,
  withoutScopedTables,
  type OrganizationScope,
  scoped,
} from '@profile-service/db';
import type { Transaction } from './implement.ts';

export interface Transactions {
  /** Gives what opens a transaction whose scoped tables are those of this scope. */
  within(scope: OrganizationScope): <T>(work: (unit: Transaction) => Promise<T>) => Promise<T>;
}

const mostAttempts = 5;

/**
 * Transactions that tell of their changes: to the other instances in the commit itself, to this one before the
 * caller has their answer. One that was ended by a deadlock left nothing behind and is done again.
 */
export function createTransactions({ db }: Database, cache: CallerCache): Transactions {
  return {
    within: (scope) => async (work) => {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await once(scope, work);
        } catch (error) {
          if (!isDeadlock(error) || attempt === mostAttempts) throw error;
        }
      }
    },
  };

  async function once<T>(scope: OrganizationScope, work: (unit: Transaction) => Promise<T>): Promise<T> {
    const invalidations: CallerInvalidation[] = [];
    const effects: (() => void)[] = [];
    const result = await db.transaction().execute(async (trx) => {
      const answer = await work({
        db: withoutScopedTables(trx),
        scoped: scoped(withoutScopedTables(trx), scope),
        invalidateCallers: (invalidation) => invalidations.push(invalidation),
        afterCommit: (effect) => effects.push(effect),
      });
      if (invalidations.length > 0) await notifyCallerInvalidation(trx, merge(invalidations));
      return answer;
    });
    if (invalidations.length > 0) await cache.invalidate(merge(invalidations));
    for (const effect of effects) effect();
    return result;
  }
}

const merge = (invalidations: CallerInvalidation[]): CallerInvalidation =>
  invalidations.some((invalidation) => invalidation.all)
    ? { all: true }
    : { sub: invalidations.flatMap((invalidation) => invalidation.sub ?? []) };
