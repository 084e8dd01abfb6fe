import { expect, test } from 'vitest';
import { rateLimitExceeded } from '../../src/limits/rate-limit-exceeded.ts';

const status = { quota: 500, windowSeconds: 1, remaining: 0, resetSeconds: 1, isOver: true };

test.each([
  ['address', 'Rate limit exceeded for this address: 500 requests per second. Retry after 1 second.'],
  ['caller', 'Rate limit exceeded for this caller: 500 requests per second. Retry after 1 second.'],
  [
    'identity',
    "Rate limit exceeded for this caller's requests that use the identity provider: 500 requests per second. Retry after 1 second.",
  ],
])('the problem of the %s limit names the limit with its value', (limit, detail) => {
  expect(rateLimitExceeded({ ...status, limit })).toMatchObject({ code: 'RATE_LIMITED', message: detail });
});

test('the problem names the length of a window and the time to wait', () => {
  expect(rateLimitExceeded({ ...status, limit: 'caller', windowSeconds: 60, resetSeconds: 42 }).message).toBe(
    'Rate limit exceeded for this caller: 500 requests per 60 seconds. Retry after 42 seconds.',
  );
});
