import { npmRun, splitRecordFlag } from '../../../test/test-results.ts';
import type { FaultyDatabase } from './environment/database.ts';
import { startEnvironment, startParts } from './environment/environment.ts';
import { startPatroniCluster } from './environment/patroni.ts';
import { startFaultyPostgres } from './environment/postgres.ts';
import type { Fault } from './fault.ts';
import { faultsOf, faultsOfCluster, titleOf } from './list/index.ts';
import { createLoad } from './load/load.ts';
import { readOptions } from './options.ts';
import { recordFaults, recordRandomFaults } from './record.ts';
import { printResult } from './report.ts';
import { type FaultResult, runFault } from './run-fault.ts';
import { runRandomFaults } from './run-random.ts';

/**
 * `npm run proof -- faults --seconds 5 --only TEXT`: runs each fault under load and checks every acknowledged write. With `--random-minutes 60` it runs faults in
 * random order for this time. With `--record` it writes its results into docs/run/figures.md. The last line says how many faults passed and failed.
 */
const { record, args } = splitRecordFlag(process.argv.slice(2));
const { seconds, only, randomMinutes } = readOptions(args);
const isRandom = randomMinutes > 0;
/** A long run writes more. */
const diskMebibytes = isRandom ? 6_144 : 1_024;
/** Part of the time of random faults for the installation with one server. The other part is for the cluster. */
const shareOfServer = 0.75;

// The parts end with this process.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const results: FaultResult[] = [];
const onResult = (result: FaultResult) => {
  printResult(result);
  results.push(result);
};
/** What was wrong with all writes at the end of random faults. */
const lost: string[] = [];
/** The cluster takes the longest to start, and its faults come last. */
const startingCluster = startPatroniCluster();
const [parts, server] = await Promise.all([startParts(), startFaultyPostgres(diskMebibytes)]);

/** Runs the chosen faults on a database, and stops it. @param minutes time of random faults */
async function runFaults(database: FaultyDatabase, faults: readonly Fault[], minutes: number): Promise<void> {
  const chosen = faults.filter((fault) => titleOf(fault).includes(only ?? ''));
  try {
    if (chosen.length > 0) await runChosen(database, chosen, minutes);
  } finally {
    await database.stop();
  }
}

async function runChosen(database: FaultyDatabase, chosen: readonly Fault[], minutes: number): Promise<void> {
  const environment = await startEnvironment(parts, database);
  try {
    const load = createLoad(environment);
    if (isRandom) lost.push(...(await runRandomFaults(environment, load, chosen, { minutes, seconds, onResult })));
    else for (const fault of chosen) onResult(await runFault(environment, load, fault, seconds));
  } finally {
    await environment.stop();
  }
}

try {
  await runFaults(server, faultsOf(server), randomMinutes * shareOfServer);
  const cluster = await startingCluster;
  await runFaults(cluster, faultsOfCluster(cluster, isRandom), randomMinutes * (1 - shareOfServer));
} finally {
  await parts.stop();
}
if (results.length === 0) throw new Error(`No fault contains ${only}`);
for (const problem of lost) console.log(`- ${problem}`);
if (record && isRandom) await recordRandomFaults(results, lost, npmRun('proof', ['faults', ...args]));
else if (record) await recordFaults(results, npmRun('proof', ['faults', ...args]));
const failed = results.filter(({ problems }) => problems.length > 0).length + (lost.length > 0 ? 1 : 0);
console.log(`${results.length - failed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);
