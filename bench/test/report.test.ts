import { expect, test } from 'vitest';
import { atLeast, atMost, check } from '../load-test/check.ts';
import { checksOf } from '../load-test/record.ts';
import { median, quantile } from '../load/statistics.ts';
import { significant, textTable } from '../report/table.ts';

test('median is the middle value, or the mean of the two middle values', () => {
  expect([median([30, 1, 2]), median([10, 1, 4, 2])]).toEqual([2, 3]);
});

test('quantile returns the value below which that part of the values lies, and the largest for 1', () => {
  const hundred = Array.from({ length: 100 }, (_, index) => 100 - index);
  expect([0.5, 0.99, 1].map((part) => quantile(hundred, part))).toEqual([51, 100, 100]);
});

test('a table of figures has three digits, with the first column aligned left and the others right', () => {
  expect([1234.5, 99.94, 1.3449, 0.01234, undefined].map(significant)).toEqual(['1235', '99.9', '1.34', '0.0123', '–']);
  expect(textTable(['a', 'value'], [['long', '1']])).toBe('a     value\n----  -----\nlong      1');
});

test('the results of a load test are a table of requirements', () => {
  const checks = [atMost('latency', 12.34, 10, 'ms', 1), atLeast('throughput', 61, 60, '%'), check('errors', '0', '0 of 7', true)];
  expect(checksOf(new Map([['soak', { checks, figures: ['a figure'] }]])).rows).toEqual([
    ['soak', 'latency', 'at most 10 ms', '12.3 ms', '**no**'],
    ['soak', 'throughput', 'at least 60 %', '61 %', 'yes'],
    ['soak', 'errors', '0', '0 of 7', 'yes'],
  ]);
});
