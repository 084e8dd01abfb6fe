import { ProblemError } from '@profile-service/contracts';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ConcurrencyLimit } from '../../src/request/limits/concurrency-limit.ts';
import { RequestAbort } from '../../src/request/request-abort.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const waitMs = 5_000;
/** A request whose client does not disconnect. */
const request = new RequestAbort();

function createLimit(max: number) {
  const onRefused = vi.fn<() => void>();
  return { onRefused, limit: new ConcurrencyLimit({ of: 'uploads', max, waitMs, onRefused }) };
}

/** An operation that the test ends. It adds its name to `started`. */
function operation(started: string[], name: string) {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const start = () => {
    started.push(name);
    return promise;
  };
  return { start, end: () => resolve(name), fail: () => reject(new Error(name)) };
}

describe('ConcurrencyLimit', () => {
  test('runs waiting operations in the order of their arrival, also after an operation that fails', async () => {
    const { limit } = createLimit(2);
    const started: string[] = [];
    const operations = ['a', 'b', 'c', 'd', 'e'].map((name) => operation(started, name));
    const results = Promise.allSettled(operations.map(async ({ start }) => limit.run('key', request, start)));
    const [a, b, c, d, e] = operations;
    expect(started).toEqual(['a', 'b']);
    b!.fail();
    await vi.advanceTimersByTimeAsync(0);
    expect(started).toEqual(['a', 'b', 'c']);
    for (const each of [c, a, e, d]) each!.end();
    expect((await results).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled', 'fulfilled']);
    expect(started).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  test('limits each key separately', async () => {
    const { limit } = createLimit(1);
    const first = operation([], 'first');
    const running = limit.run('key', request, first.start);
    expect(await limit.run('other key', request, async () => 'other')).toBe('other');
    first.end();
    expect(await running).toBe('first');
  });

  test('rejects an operation that waits too long, and does not run it later', async () => {
    const { limit, onRefused } = createLimit(1);
    const started: string[] = [];
    const [first, second] = [operation(started, 'first'), operation(started, 'second')];
    const running = limit.run('key', request, first.start);
    const refused = (async () => limit.run('key', request, second.start))().catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(waitMs);
    const detail = 'The limit of 1 uploads at once for one tenant is reached, and none ended within 5 seconds.';
    expect(await refused).toMatchObject(new ProblemError('RATE_LIMITED', { detail }));
    expect(onRefused).toHaveBeenCalledTimes(1);
    first.end();
    await running;
    expect(await limit.run('key', request, async () => 'third')).toBe('third');
    await vi.advanceTimersByTimeAsync(waitMs);
    expect([started, onRefused.mock.calls.length]).toEqual([['first'], 1]);
  });

  test('has no limit if the maximum is 0', async () => {
    const { limit } = createLimit(0);
    const started: string[] = [];
    const operations = Array.from({ length: 100 }, (_, index) => operation(started, String(index)));
    const all = Promise.all(operations.map(async ({ start }) => limit.run('key', request, start)));
    expect(started).toHaveLength(100);
    for (const { end } of operations) end();
    await all;
  });
});
