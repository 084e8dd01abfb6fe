import { expect, test } from 'vitest';
import { StartRate } from '../../src/request/limits/start-rate.ts';

test('counts the starts of the last complete interval, or of this one if there are more already', () => {
  const rate = new StartRate(100, 0);
  for (const now of [10, 20, 30]) rate.count(now);
  expect(rate.perInterval(99)).toBe(Infinity);
  expect(rate.perInterval(100)).toBe(3);
  rate.count(110);
  expect(rate.perInterval(120)).toBe(3);
  for (let now = 121; now < 130; now += 1) rate.count(now);
  expect(rate.perInterval(130)).toBe(10);
  // This interval lasts 200 ms, because nobody asked before.
  expect(rate.perInterval(300)).toBe(5);
});
