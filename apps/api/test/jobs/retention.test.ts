import { connect, type Database } from '@profile-service/db';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase } from '../../../../test/database.ts';
import { auditPartitions } from '../../src/jobs/audit-partitions.ts';
import { idempotencyKeyCleanup } from '../../src/jobs/idempotency-key-cleanup.ts';
import { webhookDeliveryCleanup } from '../../src/jobs/webhook-delivery-cleanup.ts';
import type { Job, RunContext } from '../../src/jobs/job.ts';
import { createLog } from '../../src/observability/log.ts';

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

test('the job audit-partitions creates the next partitions, and removes those with entries older than AUDIT_RETENTION_DAYS', async () => {
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

// Rules: IDEMPOTENCY-7
test('the job idempotency-key-cleanup deletes expired keys', async () => {
  await database.pool.query(`
      insert into idempotency_keys (actor_kind, actor_id, key, fingerprint, status, expires_at) values
        ('USER', gen_random_uuid(), 'expired', '', 201, now() - interval '1 second'), ('USER', gen_random_uuid(), 'live', '', 201, now() + interval '1 hour')`);
  await runJob(idempotencyKeyCleanup, 1);
  expect(await count('select from idempotency_keys')).toBe(1);
});

test('the job webhook-delivery-cleanup deletes all deliveries that have ended and are older than 30 days, and those of deleted webhooks', async () => {
  await database.pool.query(`
      insert into webhook_deliveries (webhook_id, event_id, event_occurred_at, type, record_type, record_id)
      select md5((count % 2)::text)::uuid, gen_random_uuid(), now(), 'user.updated', 'user', 'id' from generate_series(1, 20001) as count`);
  await database.pool.query(`
      with webhook as (insert into webhooks (id, url, types, secret) values (gen_random_uuid(), 'https://hooks.example.com', '{*}', '\\x00') returning id)
      insert into webhook_deliveries (webhook_id, event_id, event_occurred_at, type, record_type, record_id, status, created_at)
      select id, gen_random_uuid(), now(), 'user.updated', 'user', 'id', status, now() - age::interval
      from webhook, (values ('PENDING', '31 days', 1), ('FAILED', '29 days', 1), ('DELIVERED', '31 days', 20001)) as of (status, age, count),
        generate_series(1, count)`);
  await runJob(webhookDeliveryCleanup, 1);
  expect(await count("select from webhook_deliveries where status = 'PENDING' or created_at > now() - interval '30 days'")).toBe(2);
  expect(await count('select from webhook_deliveries')).toBe(2);
});
