import { npmRun, recordResult, splitRecordFlag } from '../../test/test-results.ts';
import { measureCapacity } from './capacity.ts';
import type { SuiteResult } from './check.ts';
import { fairness } from './fairness.ts';
import { readOptions, type SuiteName } from './options.ts';
import { overload } from './overload.ts';
import { soak } from './soak.ts';
import { startSubject, type Subject } from './subject.ts';

/**
 * `npm run test:load -- --only overload --minutes 15`: the built service under sustained load, overload and the load of one tenant. The last line says how many
 * checks passed and failed. With `--record` it writes the results to docs/load.md and docs/test-results.md.
 */
const { record, args } = splitRecordFlag(process.argv.slice(2));
const options = readOptions(args);
const startedAt = performance.now();
const progress = (text: string) => console.error(`${((performance.now() - startedAt) / 1000).toFixed(0).padStart(4)} s  ${text}`);

const suites: Record<SuiteName, (subject: Subject, capacity: number) => Promise<SuiteResult>> = {
  soak: (subject, capacity) => soak(subject, capacity, options.minutes),
  overload,
  fairness,
};

const disposables = new AsyncDisposableStack();
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void disposables.disposeAsync().then(() => process.exit(1)));

const results = await run();
const checks = [...results.values()].flatMap((result) => result.checks);
const failed = checks.filter(({ passed }) => !passed).length;
for (const [name, result] of results) {
  console.log(`\n${name}`);
  for (const figure of result.figures) console.log(`  ${figure}`);
  for (const each of result.checks) console.log(`  ${each.passed ? 'ok    ' : 'FAILED'} ${each.name}: ${each.measured} (${each.limit})`);
}
console.log(`\n${checks.length - failed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
if (record)
  await recordResult({
    test: 'load',
    command: npmRun('test:load', args),
    figures: [...results.keys()].join(', '),
    passed: checks.length - failed,
    failed,
  });

async function run(): Promise<Map<SuiteName, SuiteResult>> {
  await using started = disposables;
  const subject = await startSubject(started, progress);
  progress('capacity');
  const capacity = await measureCapacity(subject);
  progress(`capacity: ${capacity.toFixed(0)} requests per second`);
  const done = new Map<SuiteName, SuiteResult>();
  for (const name of options.suites) {
    progress(name);
    done.set(name, await suites[name](subject, capacity));
  }
  return done;
}
