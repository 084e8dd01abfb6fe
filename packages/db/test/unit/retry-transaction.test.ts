import { describe, expect, test } from 'vitest';
import { retryTransaction } from '../../src/index.ts';

const deadlock = () => Object.assign(new Error('deadlock detected'), { code: '40P01' });

/** Work that fails this many times. `pauses` collects the milliseconds before its retries. */
function failing(times: number, failure: () => Error = deadlock) {
  const pauses: number[] = [];
  let attempts = 0;
  const work = async () => {
    attempts += 1;
    if (attempts <= times) throw failure();
    return `attempt ${attempts}`;
  };
  return { work, pauses, wait: async (ms: number) => pauses.push(ms), attempts: () => attempts };
}

describe('retryTransaction', () => {
  test.each([
    { failures: 0, random: [], expected: [] },
    { failures: 4, random: [0, 0, 0.5, 1], expected: [5, 10, 30, 80] },
  ])('pauses for $expected ms after $failures deadlocks with the random numbers $random', async ({ failures, random, expected }) => {
    const drawn = [...random];
    const { work, wait, pauses } = failing(failures);
    expect(await retryTransaction(work, { random: () => drawn.shift() ?? Number.NaN, wait })).toBe(`attempt ${failures + 1}`);
    expect(pauses).toEqual(expected);
  });

  test.each([
    ['the fifth deadlock', 5, failing(5)],
    ['the first other error', 1, failing(1, () => Object.assign(new Error('duplicate key'), { code: '23505' }))],
  ])('throws %s', async (_error, expected, { work, wait, attempts }) => {
    await expect(retryTransaction(work, { wait })).rejects.toThrow(/deadlock detected|duplicate key/);
    expect(attempts()).toBe(expected);
  });
});
