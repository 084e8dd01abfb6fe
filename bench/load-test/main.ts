import { npmRun, recordResult, splitRecordFlag } from '../../test/test-results.ts';
import { readOptions as readBenchOptions } from '../options.ts';
import { startEnvironment } from '../servers/environment.ts';
import { measureCapacity } from './capacity.ts';
import { printSuite, type SuiteResult } from './check.ts';
import { fairness } from './fairness.ts';
import { readOptions, type SuiteName, suiteNames } from './options.ts';
import { overload } from './overload.ts';
import { recordRun, type Run } from './record.ts';
import { soak } from './soak.ts';
import { startSubject, type Subject } from './subject.ts';

/**
 * `npm run proof -- load --only overload --minutes 15`: the built service under overload, the load of one tenant and sustained load. The last line says how many
 * checks passed and failed. With `--record` it writes the results to docs/run/figures.md.
 */
const { record, args } = splitRecordFlag(process.argv.slice(2));
const options = readOptions(args);
const startedAt = performance.now();
const progress = (text: string) => console.error(`${((performance.now() - startedAt) / 1000).toFixed(0).padStart(4)} s  ${text}`);

const suites: Record<SuiteName, (subject: Subject, capacity: number) => Promise<SuiteResult>> = {
  overload,
  fairness,
  soak: (subject, capacity) => soak(subject, capacity, options.minutes),
};

if (record && options.suites.length < suiteNames.length) throw new Error('--record needs all suites, so it excludes --only');
const command = npmRun('proof', ['load', ...args]);

const disposables = new AsyncDisposableStack();
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void disposables.disposeAsync().then(() => process.exit(1)));

const result = await run();
const checks = [...result.suites.values()].flatMap((suite) => suite.checks);
const failed = checks.filter(({ passed }) => !passed).length;
const passed = checks.length - failed;
if (record) {
  await recordRun(result);
  const figures = `overload, fairness, ${options.minutes} minutes of soak; capacity ${result.capacity.toFixed(0)} requests per second`;
  await recordResult({ test: 'load', command, figures, passed, failed });
}
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;

async function run(): Promise<Run> {
  await using started = disposables;
  const subject = await startSubject(await startEnvironment(readBenchOptions([]), started, progress), started);
  progress('capacity');
  const capacity = await measureCapacity(subject);
  progress(`capacity: ${capacity.toFixed(0)} requests per second`);
  const done = new Map<SuiteName, SuiteResult>();
  for (const name of options.suites) {
    progress(name);
    const suite = await suites[name](subject, capacity);
    printSuite(name, suite);
    done.set(name, suite);
  }
  return { command, capacity, postgres: subject.postgresVersion, suites: done };
}
