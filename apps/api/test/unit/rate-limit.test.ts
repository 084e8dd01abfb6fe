import { expect, test } from 'vitest';
import { RateLimit } from '../../src/request/limits/rate-limit.ts';

test('a rate limit keeps the counts of 100,000 keys, and drops the least recently used one', () => {
  const limit = new RateLimit({ name: 'address', quota: 1, windowSeconds: 60, redis: undefined, isExact: false });
  const count = (key: number) => limit.count(String(key));
  for (let key = 0; key <= 100_000; key += 1) void count(key);
  expect([count(1), count(0)]).toMatchObject([{ isOver: true }, { isOver: false }]);
});
