import { expect, test } from 'vitest';
import { Freshness } from '../../src/connection/replica/freshness.ts';

function setUp() {
  const clock = { ms: 1_000 };
  const freshness = new Freshness(() => clock.ms);
  return { freshness, pass: (ms: number) => (clock.ms += ms) };
}

test('is not current before the first comparison', () => {
  expect(setUp().freshness.isCurrent).toBe(false);
});

test('is current until 100 ms after the start of the last successful comparison', () => {
  const { freshness, pass } = setUp();
  const comparison = freshness.startComparison();
  pass(60);
  expect(comparison.hasExpired()).toBe(false);
  comparison.succeed();
  expect(freshness.isCurrent).toBe(true);
  pass(40);
  expect(freshness.isCurrent).toBe(true);
  pass(1);
  expect(freshness.isCurrent).toBe(false);
  expect(comparison.hasExpired()).toBe(true);
  freshness.startComparison().succeed();
  expect(freshness.isCurrent).toBe(true);
});

test('is not current after a commit of this process, until a comparison that started later succeeds', () => {
  const { freshness } = setUp();
  freshness.startComparison().succeed();
  const beforeCommit = freshness.startComparison();
  freshness.noteCommit();
  expect(freshness.isCurrent).toBe(false);
  beforeCommit.succeed();
  expect([freshness.isCurrent, freshness.coversCommits]).toEqual([false, false]);
  freshness.startComparison().succeed();
  expect([freshness.isCurrent, freshness.coversCommits]).toEqual([true, true]);
});

test('is not current after a reset', () => {
  const { freshness } = setUp();
  freshness.startComparison().succeed();
  freshness.reset();
  expect(freshness.isCurrent).toBe(false);
});
