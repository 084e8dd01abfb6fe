import { migrate } from '@profile-service/db';
import { startFastPostgres } from '../../../test/fast-postgres.ts';
import { npmRun, recordResult, splitRecordFlag } from '../../../test/test-results.ts';
import { type Options, type Part, readOptions } from './options.ts';
import { describeFailure, type Failure, type Outcome } from './outcome.ts';
import { fuzzEndpoints } from './endpoints/run.ts';
import { runSchemathesis } from './schemathesis/run.ts';
import { closeConnections } from './endpoints/http.ts';
import { startWorld, type World } from './world/world.ts';

/** `npm run proof -- fuzz --minutes 2 --seed N`: sends random requests and checks every response against the OpenAPI document. */
const { record, args } = splitRecordFlag(process.argv.slice(2));
const options = readOptions(args);
const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interruption.abort());

const fuzz: Record<Part, (world: World, options: Options, interruption: AbortSignal) => Promise<Outcome>> = {
  endpoints: fuzzEndpoints,
  schemathesis: runSchemathesis,
};

/** The failure of a part, or of the start, that threw an error, for example because schemathesis could not be installed. */
function failureOf(part: Part | 'start', error: unknown): Failure {
  const what = `${part}: ${error instanceof Error ? error.message : String(error)}`;
  const only = part === 'start' ? args : ['--only', part];
  return { what, seed: options.seed, command: npmRun('proof', ['fuzz', ...only, '--seed', String(options.seed)]) };
}

console.log(`seed ${options.seed}`);
let passed = 0;
const failures: Failure[] = [];
const stops: (() => Promise<void>)[] = [];
try {
  const database = await startFastPostgres('fuzz');
  stops.push(database.stop);
  await migrate(database.url);
  const world = await startWorld(database.url);
  stops.push(world.stop);
  for (const part of options.only) {
    const outcome = await fuzz[part](world, options, interruption.signal).catch((error: unknown): Outcome => ({
      passed: 0,
      failures: [failureOf(part, error)],
    }));
    passed += outcome.passed;
    failures.push(...outcome.failures);
    const result = { figures: outcome.figures ?? 'stopped by an error', passed: outcome.passed, failed: outcome.failures.length };
    if (record) await recordResult({ test: `fuzz: ${part}`, command: npmRun('proof', ['fuzz', ...args]), ...result });
  }
} catch (error) {
  failures.push(failureOf('start', error));
} finally {
  closeConnections();
  for (const stop of stops.toReversed()) await stop();
}
for (const failure of failures) console.log(`\n${describeFailure(failure)}`);
console.log(`\n${passed} passed, ${failures.length} failed`);
// A request without response would keep the process alive.
process.exit(failures.length > 0 ? 1 : 0);
