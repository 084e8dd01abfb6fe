import { describe, expect, test } from 'vitest';
import { median, quantile } from '../load/statistics.ts';

describe('median', () => {
  test('is the middle of an odd number of values, in any order', () => {
    expect(median([30, 1, 2])).toBe(2);
  });

  test('is the mean of the two middle values of an even number', () => {
    expect(median([10, 1, 4, 2])).toBe(3);
  });
});

describe('quantile', () => {
  const hundred = Array.from({ length: 100 }, (_, index) => 100 - index);

  test('returns the value below which that part of the values lies', () => {
    expect(quantile(hundred, 0.5)).toBe(51);
    expect(quantile(hundred, 0.99)).toBe(100);
  });

  test('returns the largest value for 1', () => {
    expect(quantile(hundred, 1)).toBe(100);
  });
});
