import { setTimeout } from 'node:timers/promises';
import { isOutdatedPlan } from './errors.ts';
import { isDeadlock } from './unavailable.ts';

const mostAttempts = 5;
const firstPauseMs = 10;

export interface RetryOptions {
  /** Returns a number from 0 to less than 1, as `Math.random` does. */
  random?: () => number;
  wait?: (ms: number) => Promise<unknown>;
}

/**
 * Retries a transaction that PostgreSQL rolled back because of a deadlock, or because a migration has changed the columns of a prepared statement, with up to
 * 5 attempts.
 * It pauses before each retry for at most 10, 20, 40 and 80 ms, and at least half of that. The pause is random, so that the same transactions do not
 * collide again.
 */
export async function retryTransaction<T>(
  work: () => Promise<T>,
  { random = Math.random, wait = (ms) => setTimeout(ms) }: RetryOptions = {},
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const isRetried = isDeadlock(error) || isOutdatedPlan(error);
      if (!isRetried || attempt === mostAttempts) throw error;
    }
    const most = firstPauseMs * 2 ** (attempt - 1);
    await wait(most / 2 + (random() * most) / 2);
  }
}
