import { rm } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { startFastPostgres } from '../../../test/fast-postgres.ts';
import { npmRun, recordResult, splitRecordFlag } from '../../../test/test-results.ts';
import { applyMutant } from './apply.ts';
import { copyProject, root, withMutant } from './copy.ts';
import { mutants } from './list/index.ts';
import { type Mutant, namesOf } from './mutant.ts';
import { readSources } from './source/sources.ts';
import { maxSteps, runIsolation, runTestFile, type TestEnvironment, type TestResult } from './test-runs.ts';

/**
 * `npm run proof -- mutants`: applies one mutant after the other to a copy of the project. A mutant passes when its test fails on it.
 * `--sample 5` runs five, different ones each day. `--only text` (repeatable) runs those with the text in their description, or in the name or the file of the
 * code that they change. `--list` prints the chosen mutants and runs nothing.
 */
const { record, args } = splitRecordFlag(process.argv.slice(2));
const { values } = parseArgs({
  args,
  options: { sample: { type: 'string' }, only: { type: 'string', multiple: true, default: [''] }, list: { type: 'boolean' } },
});
const sources = readSources(root);
const chosen = choose(values.sample === undefined ? undefined : Number(values.sample), values.only);
if (values.list) {
  for (const mutant of chosen) console.log(describe(mutant));
  process.exit();
}
const tests = new Set(chosen.map(({ test }) => test));

const copy = await copyProject();
const postgres = await startFastPostgres('mutants-data');
const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interruption.abort());
const environment: TestEnvironment = { copy, databaseServer: postgres.adminUrl, signal: interruption.signal };
/** Runs a test file, or the isolation test. */
const runTest = (test: string | undefined, steps = maxSteps) => (test ? runTestFile(environment, test) : runIsolation(environment, steps));
let [passed, failed, usedSteps] = [0, 0, 0];
try {
  for (const mutant of chosen)
    await report(`${mutant.why} (${namesOf(mutant).join(', ')})`, true, async () => {
      const result = await withMutant(copy, sources, mutant, () => runTest(mutant.test));
      usedSteps = Math.max(usedSteps, result.steps ?? 0);
      return result;
    });
  // A test that fails without a mutant has detected none. The isolation test runs up to the step in which it detected the last one.
  for (const test of tests) await report(`without a mutant: ${test ?? 'the isolation test'}`, false, () => runTest(test, usedSteps));
} finally {
  await postgres.stop();
  await rm(copy, { recursive: true });
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
if (record) {
  const figures = `${chosen.length} mutants, ${tests.size} tests without a mutant`;
  await recordResult({ test: 'mutants', command: npmRun('proof', ['mutants', ...args]), figures, passed, failed });
}

/** Runs a test, and prints its first failure. @param mustFail whether the test has to fail: it runs on a mutant */
async function report(name: string, mustFail: boolean, work: () => Promise<TestResult>): Promise<void> {
  if (interruption.signal.aborted) return;
  const startedAt = performance.now();
  const result = await work().catch((error: Error) => error);
  const isPassed = !(result instanceof Error) && (result.failure !== null) === mustFail;
  if (isPassed) passed += 1;
  else failed += 1;
  const outcome = mustFail ? (isPassed ? 'killed' : 'SURVIVED') : isPassed ? 'passes' : 'FAILS';
  const [label, detail] = result instanceof Error ? ['ERROR', result.message] : [outcome, result.failure];
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.log(`${label} in ${seconds} s: ${name}${detail ? `\n    ${isPassed ? detail.slice(0, 150) : detail}` : ''}`);
}

/** What an attacker could do, what is changed, and the test that must fail. */
function describe(mutant: Mutant): string {
  return `${mutant.why}\n  changed: ${namesOf(mutant).join(', ')} (${filesOf(mutant).join(', ')})\n  detected by: ${mutant.test ?? 'the isolation test'}`;
}

/** The files that a mutant changes. None if it cannot be applied: it then fails when it runs. */
function filesOf(mutant: Mutant): string[] {
  try {
    return [...applyMutant(sources, mutant).keys()];
  } catch {
    return [];
  }
}

/** Chooses `size` mutants, different ones each day, or all of them. */
function choose(size: number | undefined, texts: readonly string[]): readonly Mutant[] {
  const all = mutants.filter((mutant) => {
    const labels = [mutant.why, ...namesOf(mutant), ...filesOf(mutant)];
    return texts.some((text) => labels.some((label) => label.includes(text)));
  });
  if (size === undefined) return all;
  const day = Math.floor(Date.now() / (24 * 60 * 60 * 1000));
  return Array.from({ length: Math.min(size, all.length) }, (_, place) => all[(day * size + place) % all.length] as Mutant);
}
