import pg from 'pg';
import { describeRun, recordFigures } from '../../test/figures/figures.ts';
import { npmRun, recordResult, splitRecordFlag } from '../../test/test-results.ts';
import { type SuiteResult, printSuite } from '../load-test/check.ts';
import { checksOf } from '../load-test/record.ts';
import { readOptions as readBenchOptions } from '../options.ts';
import { startEnvironment } from '../servers/environment.ts';
import { exportAll } from './export.ts';
import { importFile } from './import.ts';
import { kills } from './kills.ts';
import { type Bulk, size } from './measured.ts';
import { readOptions, type SuiteName, suiteNames } from './options.ts';
import { others } from './others.ts';

/**
 * `npm run proof -- bulk --rows 1000000 --kills 10`: imports and exports of the built service, their memory and their speed, while the service is killed, and
 * beside the requests of others. The last line says how many checks passed and failed. With `--record` it writes its result into docs/run/figures.md.
 */
const { record, args } = splitRecordFlag(process.argv.slice(2));
const options = readOptions(args);
if (record && options.suites.length < suiteNames.length) throw new Error('--record needs all suites, so it excludes --only');
const startedAt = performance.now();
const progress = (text: string) => console.error(`${((performance.now() - startedAt) / 1000).toFixed(0).padStart(4)} s  ${text}`);

const suites: Record<SuiteName, (bulk: Bulk) => Promise<SuiteResult>> = { import: importFile, kills, export: exportAll, others };

const disposables = new AsyncDisposableStack();
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void disposables.disposeAsync().then(() => process.exit(1)));

const results = await run();
const checks = [...results.values()].flatMap((suite) => suite.checks);
const failed = checks.filter(({ passed }) => !passed).length;
const passed = checks.length - failed;
if (record) {
  const command = npmRun('proof', ['bulk', ...args]);
  await recordFigures('bulk', { run: describeRun(command), checks: checksOf(results) });
  const figures = `${options.rows} rows, ${options.kills} kills`;
  await recordResult({ test: 'bulk', command, figures, passed, failed });
}
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;

async function run(): Promise<Map<SuiteName, SuiteResult>> {
  await using started = disposables;
  const environment = await startEnvironment(readBenchOptions([]), started, progress);
  const database = new pg.Client({ connectionString: await environment.databaseOf(size) });
  await database.connect();
  started.defer(() => database.end());
  const done = new Map<SuiteName, SuiteResult>();
  for (const name of options.suites) {
    progress(name);
    const result = await suites[name]({ environment, database, options });
    printSuite(name, result);
    done.set(name, result);
  }
  return done;
}
