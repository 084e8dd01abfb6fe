import { Kysely, PostgresDialect } from 'kysely';
import { Migrator } from 'kysely/migration';
import pg from 'pg';
import { getRollbackPlans } from 'pg-boss';
import manifest from 'pg-boss/package.json' with { type: 'json' };
import { describe, expect, onTestFinished, test } from 'vitest';
import { createEmptyDatabase } from '../../../test/database.ts';
import { migrate, newId, queues } from '../src/index.ts';
import { installJobQueue } from '../src/jobs/install.ts';
import { migrations } from '../src/migrations/index.ts';

const version = manifest.pgboss.schema;

async function emptyDatabase() {
  const url = await createEmptyDatabase();
  const pool = new pg.Pool({ connectionString: url, max: 3 });
  onTestFinished(() => pool.end());
  return { url, pool, sql: async (text: string, values: unknown[] = []) => (await pool.query<Record<string, unknown>>(text, values)).rows };
}

describe('the migration', () => {
  test('creates the job queue once, however many run at the same time', async () => {
    const { url, sql } = await emptyDatabase();
    await Promise.all([migrate(url), migrate(url), migrate(url)]);
    await migrate(url);
    expect(await sql('select version from pgboss.version')).toEqual([{ version }]);
    const names = await sql(`select name from pgboss.queue where name !~ '^__' order by name`);
    expect(names.map(({ name }) => name)).toEqual(Object.keys(queues).toSorted());
  });

  test('writes the retry policy of the code over the one in the database', async () => {
    const { url, sql } = await emptyDatabase();
    await migrate(url);
    await sql('update pgboss.queue set retry_limit = 1, retry_delay_max = null');
    await migrate(url);
    const policy = await sql(`select retry_limit, retry_delay_max from pgboss.queue where name = 'password-mail'`);
    expect(policy).toEqual([{ retry_limit: 30, retry_delay_max: 3_600 }]);
  });

  test('upgrades an older job queue at once, jobs included, and leaves a newer one', async () => {
    const { url, sql, pool } = await emptyDatabase();
    await migrate(url);
    await sql(`insert into pgboss.job (name, data) values ('password-mail', '{"userId":"kept"}')`);
    await pool.query(getRollbackPlans('pgboss', version));
    expect(await sql('select version from pgboss.version')).toEqual([{ version: version - 1 }]);
    // As if the last look for an index to build were long ago.
    await sql('update pgboss.version set bam_on = null');
    await migrate(url);
    expect(await sql("select 1 from pgboss.bam where status <> 'completed'")).toEqual([]);
    expect(await sql('select version from pgboss.version')).toEqual([{ version }]);
    expect(await sql('select data from pgboss.job')).toEqual([{ data: { userId: 'kept' } }]);
    await sql('update pgboss.version set version = $1', [version + 1]);
    await migrate(url);
    expect(await sql('select version from pgboss.version')).toEqual([{ version: version + 1 }]);
  });

  test('moves password mails that are owed into jobs', async () => {
    const { url, pool, sql } = await emptyDatabase();
    await installJobQueue(pool);
    const before = new Migrator({
      db: new Kysely({ dialect: new PostgresDialect({ pool }) }),
      provider: { getMigrations: async () => migrations },
    });
    const { error } = await before.migrateTo('0008-file-keys');
    expect(error).toBeUndefined();
    const [owed, sent, deleted] = [newId(), newId(), newId()];
    const text = `insert into users (id, id_identity, name, email, federal_tax_id, type, password_mail_owed_since, password_mail_next_try_at, deleted_at)
      values ($1, $2, 'Ana', $2, $3, 'Admin', $4, $4, $5)`;
    await sql(text, [owed, 'a@example.com', '00000000001', '2026-01-01T00:00:00Z', null]);
    await sql(text, [sent, 'b@example.com', '00000000002', null, null]);
    await sql(text, [deleted, 'c@example.com', '00000000003', '2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z']);
    await migrate(url);
    const jobs = await sql(
      'select name, data, state, retry_limit, retry_delay_max, start_after < now() as due, keep_until > now() as kept from pgboss.job',
    );
    const policy = { retry_limit: 30, retry_delay_max: 3_600 };
    expect(jobs).toEqual([{ name: 'password-mail', data: { userId: owed }, state: 'created', ...policy, due: true, kept: true }]);
  });
});

describe('the retry policy of a password mail', () => {
  test('tries for a day: pauses of 30 s, 1 min, 2 min and so on, up to an hour', () => {
    const { retryLimit = 0, retryDelay = 0, retryDelayMax = 0 } = queues['password-mail'];
    const pauses = Array.from({ length: retryLimit }, (_, failures) => Math.min(retryDelayMax, retryDelay * 2 ** failures));
    expect(pauses.slice(0, 8)).toEqual([30, 60, 120, 240, 480, 960, 1_920, 3_600]);
    const total = pauses.reduce((sum, pause) => sum + pause);
    expect(total).toBeGreaterThanOrEqual(86_400);
    expect(total).toBeLessThan(86_400 + 3_600);
  });
});
