import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { migrate } from '@profile-service/db';
import { startFastPostgres } from '../../../test/fast-postgres.ts';
import { npmRun, recordResult, splitRecordFlag } from '../../../test/test-results.ts';
import { runSchemathesis } from './schemathesis/run.ts';
import { startWorld } from './world/world.ts';

/** `npm run proof -- fuzz --minutes 2 --seed N`: schemathesis sends requests and checks every response against the OpenAPI document. */
const { record, args } = splitRecordFlag(process.argv.slice(2));
const { values } = parseArgs({
  args,
  options: {
    minutes: { type: 'string', default: '2' },
    seed: { type: 'string', default: String(randomInt(2 ** 31)) },
    pass: { type: 'string' },
  },
});
const [minutes, seed] = [Number(values.minutes), Number(values.seed)];
if (Number.isNaN(minutes) || !Number.isInteger(seed)) throw new Error('--minutes needs a number, --seed a whole number');
const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interruption.abort());

console.log(`seed ${seed}`);
const stops: (() => Promise<void>)[] = [];
try {
  const database = await startFastPostgres('fuzz');
  stops.push(database.stop);
  await migrate(database.url);
  const world = await startWorld(database.url);
  stops.push(world.stop);
  const { passed, failures, figures } = await runSchemathesis(world, { minutes, seed, pass: values.pass }, interruption.signal);
  if (record) await recordResult({ test: 'fuzz', command: npmRun('proof', ['fuzz', ...args]), figures, passed, failed: failures.length });
  for (const { what, command } of failures) console.log(`\nFAILED ${what}, seed ${seed}\n  repeat: ${command}`);
  console.log(`\n${passed} passed, ${failures.length} failed`);
  process.exitCode = failures.length > 0 ? 1 : 0;
} catch (error) {
  console.log(`\nFAILED ${error instanceof Error ? error.message : String(error)}\n\n0 passed, 1 failed`);
  process.exitCode = 1;
} finally {
  for (const stop of stops.toReversed()) await stop();
}
// A request without response would keep the process alive.
process.exit();
