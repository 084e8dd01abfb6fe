import { connect, type Database, newId } from '@profile-service/db';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase } from '../../../../test/database.ts';
import { auditPartitions } from '../../src/jobs/audit-partitions.ts';
import { eventCleanup } from '../../src/jobs/event-cleanup.ts';
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

/** Runs a job once. @param days how long audit entries and events are kept */
const runJob = (job: Job, days: number, { signal }: { signal: AbortSignal } = new AbortController()) =>
  job.run({}, { database, log, signal, retentionDays: { audit: days, events: days } } as RunContext);

const count = async (text: string) => (await database.pool.query(text)).rows.length;

describe('the job audit-partitions', () => {
  test('runs 10 seconds after the first start, then every 6 hours', () => {
    expect(auditPartitions.repeat).toEqual({ firstAfterSeconds: 10, everySeconds: 6 * hour });
  });

  test('creates the next partitions, and removes those with entries older than AUDIT_RETENTION_DAYS', async () => {
    lines = [];
    await database.pool.query(`
      create table audit_entries_2020_01 partition of audit_entries for values from ('2020-01-01') to ('2020-02-01');
      create table audit_entries_2000_01 partition of audit_entries for values from ('2000-01-01') to ('2000-02-01')`);
    await database.pool.query(
      "do $$ begin execute 'drop table audit_entries_' || to_char(now() at time zone 'UTC' + interval '3 months', 'YYYY_MM'); end $$",
    );
    const partitions = "select from pg_partition_tree('audit_entries') where level = 1";
    expect(await count(partitions)).toBe(5);
    await runJob(auditPartitions, 20 * 365);
    expect(await count(partitions)).toBe(5);
    expect(await count("select to_regclass('audit_entries_2000_01') as name where to_regclass('audit_entries_2000_01') is not null")).toBe(
      0,
    );
    await runJob(auditPartitions, 365);
    expect(await count(partitions)).toBe(4);
    await runJob(auditPartitions, 365);
    const message = 'old partitions of the audit log were removed';
    expect(lines).toEqual([message, message]);
  });
});

describe('the job event-cleanup', () => {
  test('runs 10 minutes after the first start, then every 6 hours', () => {
    expect(eventCleanup.repeat).toEqual({ firstAfterSeconds: 600, everySeconds: 6 * hour });
  });

  test('deletes events older than EVENT_RETENTION_DAYS', async () => {
    lines = [];
    for (const days of [40, 20]) {
      const values = [newId(), days];
      await database.pool.query(
        `insert into events (epoch, transaction_id, id, type, occurred_at, actor_kind, record_type, record_id, changed, data)
         values (1, '1', $1, 'app.updated', now() - make_interval(days => $2), 'SYSTEM', 'app', 'x', '{}', '{}')`,
        values,
      );
    }
    await runJob(eventCleanup, 50);
    expect(await count('select from events')).toBe(2);
    await runJob(eventCleanup, 30);
    expect(await count('select from events')).toBe(1);
    expect(lines).toEqual(['old events were deleted']);
  });

  test('ends when the service stops', async () => {
    await expect(runJob(eventCleanup, 1, { signal: AbortSignal.abort() })).rejects.toThrow(/abort/);
    expect(await count('select from events')).toBe(1);
  });
});

test('both jobs are queued once, however many instances start', async () => {
  const world = await startWorld();
  const waiting = () =>
    world.sql<{ name: string }>(
      "select name from pgboss.job where name in ('audit-partitions', 'event-cleanup') and state = 'created' order by 1",
    );
  const both = [{ name: 'audit-partitions' }, { name: 'event-cleanup' }];
  await eventually(waiting).toEqual(both);
  const other = await world.another();
  await other.stop();
  expect(await waiting()).toEqual(both);
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
