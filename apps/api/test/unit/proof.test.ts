import { expect, test } from 'vitest';
import { hasTest } from './proof.ts';

test('a title that there is is told from one that there is not', () => {
  const source = "test.each([1])(\n  'takes %i',\n  () => {});\ntest(\"it's\", () => {});";
  expect(['takes %i', "it's", 'takes', '%i', 'it'].map((title) => hasTest(source, title))).toEqual([true, true, false, false, false]);
});
