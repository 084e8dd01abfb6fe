import { expect, test } from 'vitest';
import { parseRetryAfter } from '../../src/client/response.ts';

const now = Date.parse('2026-01-01T00:00:00.500Z');

test.each([
  ['120', 120],
  [' 0 ', 0],
  ['3601', 3600],
  ['99999999999999999999', 3600],
  ['Thu, 01 Jan 2026 00:00:10 GMT', 10],
  ['Thu, 01 Jan 2026 02:00:00 GMT', 3600],
  ['Wed, 31 Dec 2025 00:00:00 GMT', 0],
  ['', null],
  ['-1', null],
  ['1.5', null],
  ['soon', null],
  ['NaN', null],
])('Retry-After: %s is %s seconds', (value, seconds) => {
  expect(parseRetryAfter(value, now)).toBe(seconds);
});
