import { expect, test } from 'vitest';
import { idOf } from '../data/ids.ts';

test('ids are UUIDs of version 7 that sort by creation', () => {
  const ids = [0, 1, 2, 999_998, 999_999].map((n) => idOf('organization', n, 1_000_000));
  for (const id of ids) expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-8[\da-f]{3}-[\da-f]{12}$/);
  expect(ids.toSorted()).toEqual(ids);
});

test('ids of different kinds differ', () => {
  expect(idOf('contact', 5, 10)).not.toBe(idOf('address', 5, 10));
});
