import { expect, test } from 'vitest';
import { comparisons, growths } from '../measure/plan.ts';
import { evaluate, type Target, targets } from '../targets.ts';

type Limits = Pick<Target, 'atMost' | 'atLeast'>;
const metBy = (limits: Limits, value: number | undefined) =>
  evaluate({ works: [], totals: [], growths: [] }, [{ name: 'memory', figure: 'MB', ...limits, of: () => value }]).map(({ met }) => met);

test.each<[Limits, number | undefined, boolean[]]>([
  [{ atMost: 2 }, 2, [true]],
  [{ atMost: 2 }, 2.01, [false]],
  [{ atLeast: 0.8 }, 0.8, [true]],
  [{ atLeast: 0.8 }, 0.79, [false]],
  [{ atMost: 2 }, Number.NaN, [false]],
  [{ atMost: 2 }, undefined, []],
])('the target %j is met by %d: %j', (limits, value, expected) => expect(metBy(limits, value)).toEqual(expected));

test('every target belongs to a measurement', () => {
  const planned = [...comparisons, ...growths].map(({ name }) => name);
  const others = ['stored per write', 'memory: one upload', 'memory: ten uploads at once', 'memory: idle', 'start'];
  const names = targets.map(({ name }) => name).filter((name) => !name.startsWith('events: '));
  expect(names.filter((name) => ![...planned, ...others].includes(name))).toEqual([]);
});
