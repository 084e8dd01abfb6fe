import { expect, test } from 'vitest';
import { npmRun, rowOf, splitRecordFlag, withRow } from '../../../../test/test-results.ts';

const rows = [
  ['isolation', 'old'],
  ['fuzz', 'old'],
];

test('a result replaces the row of its test', () => {
  expect(withRow(rows, ['isolation', 'new'])).toEqual([
    ['isolation', 'new'],
    ['fuzz', 'old'],
  ]);
});

test('the first result of a test is added at the end', () => {
  expect(withRow(rows, ['nightly', 'new'])).toEqual([...rows, ['nightly', 'new']]);
});

test('a row contains date, commit, command, figures and result', () => {
  const result = { test: 'fuzz', command: npmRun('proof', ['fuzz', '--seed', '1']), figures: '5 requests', passed: 2, failed: 1 };
  const row = ['fuzz', '2026-11-22', 'abc1234', '`npm run proof -- fuzz --seed 1`', '5 requests', '2 passed, 1 failed'];
  expect(rowOf(result, '2026-11-22', 'abc1234')).toEqual(row);
});

test('the recorded command has neither --record nor --', () => {
  expect(splitRecordFlag(['--', '--seed', '1', '--record'])).toEqual({ record: true, args: ['--seed', '1'] });
  expect(splitRecordFlag(['--seed', '1'])).toEqual({ record: false, args: ['--seed', '1'] });
});
