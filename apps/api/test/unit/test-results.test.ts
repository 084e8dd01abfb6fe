import { expect, test } from 'vitest';
import { npmRun, rowOf, splitRecordFlag, withRow } from '../../../../test/test-results.ts';

const page = [
  '# Results',
  '',
  '| Test | Date |',
  '| --- | --- |',
  '| isolation | old |',
  '| fuzz | old |',
  '',
  '## Earlier',
  '',
  '| Test |',
].join('\n');

test('a result replaces the row of its test', () => {
  expect(withRow(page, 'fuzz', '| fuzz | new |')).toBe(page.replace('| fuzz | old |', '| fuzz | new |'));
});

test('the first result of a test is added to the first table', () => {
  expect(withRow(page, 'nightly', '| nightly | new |')).toBe(page.replace('| fuzz | old |', '| fuzz | old |\n| nightly | new |'));
});

test('a row contains date, commit, command, figures and result', () => {
  const result = { test: 'fuzz', command: npmRun('proof', ['fuzz', '--seed', '1']), figures: '5 requests', passed: 2, failed: 1 };
  expect(rowOf(result, '2026-11-22', 'abc1234')).toBe(
    '| fuzz | 2026-11-22 | abc1234 | `npm run proof -- fuzz --seed 1` | 5 requests | 2 passed, 1 failed |',
  );
});

test('the recorded command has neither --record nor --', () => {
  expect(splitRecordFlag(['--', '--seed', '1', '--record'])).toEqual({ record: true, args: ['--seed', '1'] });
  expect(splitRecordFlag(['--seed', '1'])).toEqual({ record: false, args: ['--seed', '1'] });
});
