import { setTimeout as pause } from 'node:timers/promises';
import { ProblemError } from '@profile-service/contracts';
import { expect, test } from 'vitest';
import { ConcurrencyLimit } from '../../src/limits/concurrency-limit.ts';

/** A client that stays. */
const request = { signal: new AbortController().signal };

const shareOf = (max: number, waitMs = 60_000) => {
  const refused: number[] = [];
  return { refused, share: new ConcurrencyLimit({ of: 'works', max, waitMs, onRefused: () => refused.push(1) }) };
};

/** Work that ends on command. */
function work(begun: string[], name: string) {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const begin = () => {
    begun.push(name);
    return promise;
  };
  return { begin, end: () => resolve(name), fail: () => reject(new Error(name)) };
}

test('runs waiting work in order, also after work that fails', async () => {
  const { share } = shareOf(2);
  const begun: string[] = [];
  const works = ['a', 'b', 'c', 'd', 'e'].map((name) => work(begun, name));
  const done = Promise.allSettled(works.map(async ({ begin }) => share.run('one', request, begin)));
  const [a, b, c, d, e] = works;
  expect(begun).toEqual(['a', 'b']);
  b!.fail();
  await expect.poll(() => begun).toEqual(['a', 'b', 'c']);
  for (const each of [c, a, e, d]) each!.end();
  expect((await done).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled', 'fulfilled']);
  expect(begun).toEqual(['a', 'b', 'c', 'd', 'e']);
});

test('does not make other holders wait', async () => {
  const { share } = shareOf(1);
  const begun: string[] = [];
  const first = work(begun, 'first');
  const going = share.run('one', request, first.begin);
  expect(await share.run('other', request, async () => 'other')).toBe('other');
  first.end();
  expect(await going).toBe('first');
});

test('rejects and reports work that waits too long, and does not run it later', async () => {
  const { share, refused } = shareOf(1, 20);
  const begun: string[] = [];
  const [first, second] = [work(begun, 'first'), work(begun, 'second')];
  const going = share.run('one', request, first.begin);
  await expect(share.run('one', request, second.begin)).rejects.toMatchObject(
    new ProblemError('RATE_LIMITED', {
      detail: 'The limit of 1 works at once for one tenant is reached, and none ended within 0.02 seconds.',
    }),
  );
  expect(refused).toHaveLength(1);
  first.end();
  await going;
  expect(await share.run('one', request, async () => 'third')).toBe('third');
  await pause(40);
  expect([begun, refused.length]).toEqual([['first'], 1]);
});

test('treats 0 as no limit', async () => {
  const { share } = shareOf(0);
  const begun: string[] = [];
  const works = Array.from({ length: 100 }, (_, index) => work(begun, String(index)));
  const all = Promise.all(works.map(async ({ begin }) => share.run('one', request, begin)));
  expect(begun).toHaveLength(100);
  for (const { end } of works) end();
  await all;
});
