import { parseArgs } from 'node:util';
import { npmRun, splitRecordFlag } from '../../../test/test-results.ts';
import { checkReaders } from '../events/check.ts';
import { startEnvironment } from './environment/environment.ts';
import { faultsOf, titleOf } from './list/index.ts';
import { createLoad } from './load/load.ts';
import { startReaders } from './readers.ts';
import { printReader, printResult, recordFaults, recordRandomFaults } from './report.ts';
import { type FaultResult, runFault } from './run-fault.ts';
import { runRandomFaults } from './run-random.ts';

/**
 * `npm run proof -- faults --seconds 5 --only TEXT`: runs each fault under load, and checks every acknowledged write and every reader of events. With `--random-minutes 60` it runs faults in
 * random order for this time. With `--record` it writes its results into docs/run/figures.md. The last line says how many faults and readers passed and failed.
 */
const { record, args } = splitRecordFlag(process.argv.slice(2));
const option = (value: string) => ({ type: 'string', default: value }) as const;
const { values } = parseArgs({ args, options: { seconds: option('5'), only: option(''), 'random-minutes': option('0') } });
const { only } = values;
const [seconds, randomMinutes] = [Number(values.seconds), Number(values['random-minutes'])];
if (!(seconds >= 0 && randomMinutes >= 0)) throw new Error('--seconds and --random-minutes need numbers');
const isRandom = randomMinutes > 0;

// The parts end with this process.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const results: FaultResult[] = [];
const onResult = (result: FaultResult) => {
  printResult(result);
  results.push(result);
};
/** What was wrong with all writes at the end of random faults. */
const lost: string[] = [];
/** What was wrong with each reader of events at the end. */
let readers = new Map<string, string[]>();
// A long run writes more.
const environment = await startEnvironment(isRandom ? 6_144 : 1_024);
try {
  const faults = faultsOf(environment.database).filter((fault) => titleOf(fault).includes(only));
  const load = createLoad(environment);
  const following = await startReaders(environment);
  if (isRandom) lost.push(...(await runRandomFaults(environment, load, faults, { minutes: randomMinutes, seconds, onResult })));
  else for (const fault of faults) onResult(await runFault(environment, load, fault, seconds));
  readers = await checkReaders(environment.database.sql, following);
} finally {
  await environment.stop();
}
if (results.length === 0) throw new Error(`No fault contains ${only}`);
for (const problem of lost) console.log(`- ${problem}`);
for (const [name, problems] of readers) printReader(name, problems);
const command = npmRun('proof', ['faults', ...args]);
if (record) await (isRandom ? recordRandomFaults(results, lost, readers, command) : recordFaults(results, readers, command));
const checks = [...results.map(({ problems }) => problems), ...readers.values(), ...(isRandom ? [lost] : [])];
const failed = checks.filter((problems) => problems.length > 0).length;
console.log(`${checks.length - failed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);
