import { npmRun, recordResult, splitRecordFlag } from '../../../test/test-results.ts';
import { checkRecords } from '../faults/checks/records.ts';
import { createLoad } from '../faults/load/load.ts';
import { Random } from '../isolation/random.ts';
import { checkCounters, checkReaders } from './check.ts';
import { startEnvironment } from './environment.ts';
import { checkExpiredCursor } from './expired-cursor.ts';
import { causeFaults } from './faults.ts';
import { readOptions } from './options.ts';
import { startReaders } from './readers/index.ts';
import { startWriters } from './writers.ts';

/**
 * `npm run proof -- events --minutes 1 --events N --seed N`: writers commit, roll back, hang and die while readers follow the feed, streams, webhooks and the
 * typed client, and instances are killed. Then it compares what each reader got with the journal. With `--record` it writes its result into docs/run/figures.md.
 * The last line says how many readers and checks passed and failed.
 */
const { record, args } = splitRecordFlag(process.argv.slice(2));
const { minutes, events, seed } = readOptions(args);
/** Writers on connections, and writers of each tenant that send requests. */
const [connections, requesters] = [6, 2];
/** The longest pause between two faults, in milliseconds. Webhooks get nothing for up to a minute after a kill: in a long run, they must not fall behind. */
const longestPauseMs = events > 0 ? 60_000 : 8_000;

/** Lets time pass: claims of killed instances end after 3 seconds instead of 20, and retries of webhooks are due. */
const age = `
  update idempotency_keys set claimed_until = now() where claimed_until between now() and now() + interval '17 seconds';
  update webhook_deliveries set next_attempt_at = now() where next_attempt_at > now() + interval '1 second'`;

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
console.log(`seed ${seed}`);
const startedAt = performance.now();
const seconds = () => ((performance.now() - startedAt) / 1_000).toFixed(0);
let results = new Map<string, string[]>();
const random = new Random(seed);
const environment = await startEnvironment();
const { sql, instances, tenants, people } = environment;
const aging = setInterval(() => void sql(age).catch(() => undefined), 1_000);
let figures = '';
try {
  console.log(`${seconds()} s: the service runs`);
  const readers = await startReaders(environment, random);
  const newTaxId = people.newTaxId;
  const loads = tenants.map((tenant) =>
    createLoad(
      { instances, people: { global: people.global.token ?? '', tenant, newPerson: people.newPerson, newTaxId } },
      { records: requesters },
    ),
  );
  const writers = startWriters(environment, connections, new Random(random.below(2 ** 31)));
  for (const load of loads) load.start();
  const until = performance.now() + minutes * 60_000;
  const written = () => writers.events() + loads.reduce((sum, { acknowledged }) => sum + acknowledged.length, 0);
  const isOver = () => writers.haveFailed() || (performance.now() > until && written() >= events);
  const faults = await causeFaults(environment, random, longestPauseMs, isOver);
  console.log(`${written()} events, ${seconds()} s: the writers stop`);
  const failures = await writers.stop();
  await Promise.all(loads.map((load) => load.stop()));

  results = await checkReaders(sql, readers);
  results.set('journal: the counters of each organization', await checkCounters(sql, environment.organizations));
  const acknowledged = loads.flatMap((load) => load.acknowledged);
  results.set(`journal: ${acknowledged.length} acknowledged requests`, [
    ...loads.flatMap(({ violations }) => violations),
    ...(await checkRecords({ database: { sql } }, acknowledged)),
  ]);
  results.set('service and writers', [...failures, ...faults.problems, ...instances.unexpectedExits, ...instances.internalErrors()]);
  results.set('expired cursor', await checkExpiredCursor(environment));
  const [{ count } = { count: 0 }] = await sql<{ count: number }>('select count(*)::int as count from events');
  const done = [...Object.entries(writers.done), ...Object.entries(faults.counts)].map(([name, times]) => `${name} ${times}`).join(', ');
  figures = `${count} events in ${((performance.now() - startedAt) / 60_000).toFixed(1)} min (seed ${seed})`;
  console.log(`${figures}: ${done}`);
} finally {
  clearInterval(aging);
  await environment.stop();
}
for (const [name, problems] of results) {
  console.log(`${problems.length > 0 ? 'FAILED' : 'passed'}  ${name}`);
  for (const problem of problems.slice(0, 10)) console.log(`  - ${problem}`);
}
const failed = [...results.values()].filter((problems) => problems.length > 0).length;
const command = npmRun('proof', ['events', ...args]);
if (failed > 0) console.log(`repeat: npm run proof -- events --minutes ${minutes} --events ${events} --seed ${seed}`);
if (record) await recordResult({ test: 'events', command, figures, passed: results.size - failed, failed });
console.log(`${results.size - failed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);
