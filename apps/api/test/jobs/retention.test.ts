import { connect, type Database } from '@profile-service/db';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase } from '../../../../test/database.ts';
import { auditPartitions } from '../../src/jobs/audit-partitions.ts';
import { idempotencyKeyCleanup } from '../../src/jobs/idempotency-key-cleanup.ts';
import type { Job, RunContext } from '../../src/jobs/job.ts';
import { createLog } from '../../src/observability/log.ts';
import { eventually } from '../support/files.ts';
import { startWorld } from '../support/world.ts';

const hour = 60 * 60;
let database: Database;
/** Messages of the log. */
let lines: string[] = [];
const log = createLog('info', { write: (line) => void lines.push((JSON.parse(line) as { msg: string }).msg) });
beforeAll(async () => (database = connect({ connectionString: await createTestDatabase(), max: 2 })));
afterAll(() => database.close());

/** Runs a job once. @param retentionDays how long the rows of the journal are kept */
const runJob = (job: Job, retentionDays: number) =>
  job.run({}, { database, log, signal: new AbortController().signal, retentionDays } as RunContext);

const count = async (text: string) => (await database.pool.query(text)).rows.length;

describe('the job audit-partitions', () => {
  test('runs 10 seconds after the first start, then every 6 hours', () => {
    expect(auditPartitions.repeat).toEqual({ firstAfterSeconds: 10, everySeconds: 6 * hour });
  });

  test('creates the next partitions, and removes those with entries older than AUDIT_RETENTION_DAYS', async () => {
    lines = [];
    await database.pool.query(`
      create table journal_2020_01 partition of journal for values from ('2020-01-01') to ('2020-02-01');
      create table journal_2000_01 partition of journal for values from ('2000-01-01') to ('2000-02-01')`);
    await database.pool.query(
      "do $$ begin execute 'drop table journal_' || to_char(now() at time zone 'UTC' + interval '3 months', 'YYYY_MM'); end $$",
    );
    const partitions = "select from pg_partition_tree('journal') where level = 1";
    expect(await count(partitions)).toBe(5);
    await runJob(auditPartitions, 20 * 365);
    expect(await count(partitions)).toBe(5);
    expect(await count("select to_regclass('journal_2000_01') as name where to_regclass('journal_2000_01') is not null")).toBe(0);
    await runJob(auditPartitions, 365);
    expect(await count(partitions)).toBe(4);
    await runJob(auditPartitions, 365);
    const message = 'old partitions of the audit log were removed';
    expect(lines).toEqual([message, message]);
  });
});

test('it is queued once, however many instances start', async () => {
  const world = await startWorld();
  const waiting = () => world.sql("select name from pgboss.job where name = 'audit-partitions' and state = 'created'");
  await eventually(waiting).toEqual([{ name: 'audit-partitions' }]);
  const other = await world.another();
  await other.stop();
  expect(await waiting()).toHaveLength(1);
  await world.stop();
});

describe('the job idempotency-key-cleanup', () => {
  test('runs 15 minutes after the first start, then every hour', () => {
    expect(idempotencyKeyCleanup.repeat).toEqual({ firstAfterSeconds: 15 * 60, everySeconds: hour });
  });

  // Rules: IDEMPOTENCY-7
  test('deletes expired keys', async () => {
    await database.pool.query(`
      insert into idempotency_keys (actor_kind, actor_id, key, fingerprint, status, expires_at) values
        ('USER', gen_random_uuid(), 'expired', '', 201, now() - interval '1 second'), ('USER', gen_random_uuid(), 'live', '', 201, now() + interval '1 hour')`);
    await runJob(idempotencyKeyCleanup, 1);
    expect(await count('select from idempotency_keys')).toBe(1);
  });
});
