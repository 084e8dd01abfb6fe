import { migrate } from '@profile-service/db';
import { startFastPostgres } from '../../../test/fast-postgres.ts';
import { npmRun, recordResult, splitRecordFlag } from '../../../test/test-results.ts';
import { type Options, type Part, readOptions } from './options.ts';
import type { Outcome } from './outcome.ts';
import { fuzzEndpoints } from './endpoints/run.ts';
import { runSchemathesis } from './schemathesis/run.ts';
import { closeConnections } from './endpoints/wire.ts';
import { startWorld, type World } from './world/world.ts';

/** `npm run test:fuzz -- --minutes 2 --seed N`: sends the service what callers might, and holds every answer against the published document. */
const { record, args } = splitRecordFlag(process.argv.slice(2));
const options = readOptions(args);
const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interruption.abort());

const fuzz: Record<Part, (world: World, options: Options, interruption: AbortSignal) => Promise<Outcome>> = {
  endpoints: fuzzEndpoints,
  schemathesis: runSchemathesis,
};

function brokenOff(error: unknown): Outcome {
  console.error(error instanceof Error ? error.message : error);
  return { passed: 0, failed: 1 };
}

console.log(`seed ${options.seed}`);
const total: Outcome = { passed: 0, failed: 0 };
const stops: (() => Promise<void>)[] = [];
try {
  const database = await startFastPostgres('fuzz');
  stops.push(database.stop);
  await migrate(database.url);
  const world = await startWorld(database.url);
  stops.push(world.stop);
  for (const part of options.only) {
    const { passed, failed, figures = 'stopped by an error' } = await fuzz[part](world, options, interruption.signal).catch(brokenOff);
    total.passed += passed;
    total.failed += failed;
    if (record) await recordResult({ test: `fuzz: ${part}`, command: npmRun('test:fuzz', args), figures, passed, failed });
  }
} finally {
  closeConnections();
  for (const stop of stops.toReversed()) await stop();
}
console.log(`\n${total.passed} passed, ${total.failed} failed`);
// A request that hangs, if one was found, holds the process otherwise.
process.exit(total.failed > 0 ? 1 : 0);
