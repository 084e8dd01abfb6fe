import { expect, test } from 'vitest';
import { atLeast, atMost, check } from '../load-test/check.ts';
import { checksOf } from '../load-test/record.ts';

test('the results of a load test are a table of requirements', () => {
  const checks = [atMost('latency', 12.34, 10, 'ms', 1), atLeast('throughput', 61, 60, '%'), check('errors', '0', '0 of 7', true)];
  expect(checksOf(new Map([['soak', { checks, figures: ['a figure'] }]])).rows).toEqual([
    ['soak', 'latency', 'at most 10 ms', '12.3 ms', '**no**'],
    ['soak', 'throughput', 'at least 60 %', '61 %', 'yes'],
    ['soak', 'errors', '0', '0 of 7', 'yes'],
  ]);
});
