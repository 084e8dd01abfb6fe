import type { CallerCache } from '@profile-service/auth';
import { type Change, type Database, isDeadlock, notifyChange, openTables, type Scope, scoped } from '@profile-service/db';
import type { Unit } from './implement.ts';

export interface Transactions {
  /** Gives what opens a transaction whose scoped tables are those of this scope. */
  within(scope: Scope): <T>(work: (unit: Unit) => Promise<T>) => Promise<T>;
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

  async function once<T>(scope: Scope, work: (unit: Unit) => Promise<T>): Promise<T> {
    const changes: Change[] = [];
    const effects: (() => void)[] = [];
    const result = await db.transaction().execute(async (trx) => {
      const answer = await work({
        db: openTables(trx),
        scoped: scoped(openTables(trx), scope),
        changed: (change) => changes.push(change),
        afterCommit: (effect) => effects.push(effect),
      });
      if (changes.length > 0) await notifyChange(trx, merge(changes));
      return answer;
    });
    if (changes.length > 0) await cache.forget(merge(changes));
    for (const effect of effects) effect();
    return result;
  }
}

const merge = (changes: Change[]): Change =>
  changes.some((change) => change.all) ? { all: true } : { sub: changes.flatMap((change) => change.sub ?? []) };
