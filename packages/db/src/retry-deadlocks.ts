import { setTimeout } from 'node:timers/promises';
import { isDeadlock } from './unavailable.ts';

const mostAttempts = 5;
const firstPauseMs = 10;

export interface RetryOptions {
  /** From 0 up to, but not including, 1. */
  random?: () => number;
  wait?: (ms: number) => Promise<unknown>;
}

/**
 * Repeats a transaction that PostgreSQL ended because of a deadlock: it left nothing behind, and usually the other transaction has finished by then.
 * Up to 5 attempts. The pause before each is random, between half and all of 10, 20, 40 and 80 ms, so that the same transactions do not meet again.
 */
export async function retryDeadlocks<T>(
  work: () => Promise<T>,
  { random = Math.random, wait = (ms) => setTimeout(ms) }: RetryOptions = {},
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isDeadlock(error) || attempt === mostAttempts) throw error;
    }
    const most = firstPauseMs * 2 ** (attempt - 1);
    await wait(most / 2 + (random() * most) / 2);
  }
}
