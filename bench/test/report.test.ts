import { expect, test } from 'vitest';
import { significant, textTable } from '../report/table.ts';

test('significant formats three digits', () => {
  expect([1234.5, 99.94, 1.3449, 0.01234, undefined].map(significant)).toEqual(['1235', '99.9', '1.34', '0.0123', '–']);
});

test('textTable aligns the first column left and the others right', () => {
  expect(textTable(['a', 'value'], [['long', '1']])).toBe('a     value\n----  -----\nlong      1');
});
