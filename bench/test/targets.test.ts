import { describe, expect, test } from 'vitest';
import { comparisons, growths } from '../measure/plan.ts';
import { evaluate, type Target, targets } from '../targets.ts';

const target = (limits: Pick<Target, 'atMost' | 'atLeast'>, value: number | undefined): Target => ({
  name: 'memory',
  figure: 'MB',
  ...limits,
  of: () => value,
});
const metBy = (limits: Pick<Target, 'atMost' | 'atLeast'>, value: number) =>
  evaluate({ works: [], totals: [], growths: [] }, [target(limits, value)]).map(({ met }) => met);

describe('a target', () => {
  test('is met at its limit and missed beyond it', () => {
    expect(metBy({ atMost: 2 }, 2)).toEqual([true]);
    expect(metBy({ atMost: 2 }, 2.01)).toEqual([false]);
    expect(metBy({ atLeast: 0.8 }, 0.8)).toEqual([true]);
    expect(metBy({ atLeast: 0.8 }, 0.79)).toEqual([false]);
  });

  test('is missed if its figure is not a number', () => {
    expect(metBy({ atMost: 2 }, Number.NaN)).toEqual([false]);
  });

  test('is left out if its figure was not measured', () => {
    expect(evaluate({ works: [], totals: [], growths: [] }, [target({ atMost: 2 }, undefined)])).toEqual([]);
  });
});

test('every target belongs to a measurement', () => {
  const planned = [...comparisons, ...growths].map(({ name }) => name);
  const others = ['stored per write', 'memory: one upload', 'memory: ten uploads at once', 'memory: idle', 'start'];
  expect(targets.map(({ name }) => name).filter((name) => ![...planned, ...others].includes(name))).toEqual([]);
});
