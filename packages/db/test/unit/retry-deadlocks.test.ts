import { describe, expect, test } from 'vitest';
import { retryDeadlocks } from '../../src/index.ts';

const deadlock = () => Object.assign(new Error('deadlock detected'), { code: '40P01' });

/** Work that fails this many times, and the pauses before its repetitions. */
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

describe('retryDeadlocks', () => {
  test('returns a first success without a pause', async () => {
    const { work, wait, pauses } = failing(0);
    expect(await retryDeadlocks(work, { wait })).toBe('attempt 1');
    expect(pauses).toEqual([]);
  });

  test.each([
    [0, [5, 10, 20, 40]],
    [0.5, [7.5, 15, 30, 60]],
    [1, [10, 20, 40, 80]],
  ])('with a random number of %d pauses for %j ms', async (random, expected) => {
    const { work, wait, pauses } = failing(4);
    expect(await retryDeadlocks(work, { random: () => random, wait })).toBe('attempt 5');
    expect(pauses).toEqual(expected);
  });

  test('draws a new random number for each pause', async () => {
    const drawn = [0, 1, 0];
    const { work, wait, pauses } = failing(3);
    await retryDeadlocks(work, { random: () => drawn.shift() ?? 0.5, wait });
    expect(pauses).toEqual([5, 20, 20]);
  });

  test('gives up after five attempts', async () => {
    const { work, wait, pauses, attempts } = failing(5);
    await expect(retryDeadlocks(work, { wait })).rejects.toThrow('deadlock detected');
    expect([attempts(), pauses.length]).toEqual([5, 4]);
  });

  test('repeats nothing after another error', async () => {
    const { work, wait, attempts } = failing(1, () => Object.assign(new Error('duplicate key'), { code: '23505' }));
    await expect(retryDeadlocks(work, { wait })).rejects.toThrow('duplicate key');
    expect(attempts()).toBe(1);
  });

  test('waits on the clock where nothing else is given', async () => {
    const { work } = failing(1);
    expect(await retryDeadlocks(work)).toBe('attempt 2');
  });
});
