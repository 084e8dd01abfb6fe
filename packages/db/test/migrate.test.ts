import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { getRollbackPlans } from 'pg-boss';
import manifest from 'pg-boss/package.json' with { type: 'json' };
import { describe, expect, onTestFinished, test } from 'vitest';
import { createEmptyDatabase, createTestDatabase } from '../../../test/database.ts';
import { startVersionProxy } from '../../../test/version-proxy.ts';
import { migrate, newId } from '../src/index.ts';
import { migrations } from '../src/migrations/index.ts';

const all = Object.keys(migrations);
const { schema: version } = manifest.pgboss;

/** Opens a database. `sql` runs a statement and returns its rows. */
async function open(created: Promise<string>) {
  const url = await created;
  const pool = new pg.Pool({ connectionString: url, max: 3 });
  onTestFinished(() => pool.end());
  return { url, pool, sql: async (text: string, values: unknown[] = []) => (await pool.query<Record<string, unknown>>(text, values)).rows };
}

describe('migrate', () => {
  test('applies each migration once, in order, and creates the job queue, also with concurrent calls', async () => {
    const { url, sql } = await open(createEmptyDatabase());
    const applied = await Promise.all([migrate(url), migrate(url), migrate(url)]);
    expect(applied.flat()).toEqual(all);
    expect(await migrate(url)).toEqual([]);
    expect(await sql("select to_regclass('organizations')::text as name")).toEqual([{ name: 'organizations' }]);
    expect(await sql('select version from pgboss.version')).toEqual([{ version }]);
  });

  test('changes nothing on PostgreSQL 14', async () => {
    const { url, sql } = await open(createEmptyDatabase());
    const proxy = await startVersionProxy(url, 140_019);
    onTestFinished(() => proxy.stop());
    const sentence = 'The migrations could not run: PostgreSQL 14 is too old: version 15 or later is required';
    await expect(migrate(proxy.url)).rejects.toThrow(new Error(sentence));
    expect(await sql("select nspname from pg_namespace where nspname = 'pgboss'")).toEqual([]);
    expect(await sql("select to_regclass('kysely_migration') as name")).toEqual([{ name: null }]);
  });

  test('names the migration that failed, and applies none', async () => {
    const { url, sql } = await open(createEmptyDatabase());
    await sql('create table tenants (mine text)');
    await expect(migrate(url)).rejects.toThrow('Migration 0002-people failed: relation "tenants" already exists');
    expect(await sql("select to_regclass('customers') as name")).toEqual([{ name: null }]);
  });

  test('changes nothing in a database that a newer version has migrated, so that a rollback works', async () => {
    const { url, sql } = await open(createTestDatabase());
    await sql(`insert into kysely_migration (name, timestamp) values ('9999-next', '2026-01-01T00:00:00Z')`);
    expect(await migrate(url)).toEqual([]);
    expect(await sql('select count(*)::int as count from kysely_migration')).toEqual([{ count: all.length + 1 }]);
    await sql('delete from kysely_migration where name = $1', [all.at(-1)]);
    await expect(migrate(url)).rejects.toThrow('previously executed migration 9999-next is missing');
  });

  test('upgrades an older job queue with its jobs, and does not change a newer one', async () => {
    const { url, sql, pool } = await open(createTestDatabase());
    await sql(`insert into pgboss.job (name, data) values ('password-mail', '{"userId":"kept"}')`);
    await pool.query(getRollbackPlans('pgboss', version));
    expect(await sql('select version from pgboss.version')).toEqual([{ version: version - 1 }]);
    // Otherwise pg-boss waits before it looks for indexes to build.
    await sql('update pgboss.version set bam_on = null');
    await migrate(url);
    expect(await sql("select 1 from pgboss.bam where status <> 'completed'")).toEqual([]);
    expect(await sql('select version from pgboss.version')).toEqual([{ version }]);
    expect(await sql('select data from pgboss.job')).toEqual([{ data: { userId: 'kept' } }]);
    await sql('update pgboss.version set version = $1', [version + 1]);
    await migrate(url);
    expect(await sql('select version from pgboss.version')).toEqual([{ version: version + 1 }]);
  });
});

describe('pnpm db:migrate', () => {
  const command = fileURLToPath(new URL('../src/migrations/migrate-command.ts', import.meta.url));
  const start = (env: Record<string, string>) => promisify(execFile)(process.execPath, [command], { env });

  test('prints the applied migrations', async () => {
    const [empty, migrated] = await Promise.all([createEmptyDatabase(), createTestDatabase()]);
    const runs = await Promise.all([start({ DATABASE_URL: empty }), start({ DATABASE_URL: migrated })]);
    expect(runs.map(({ stdout }) => stdout)).toEqual([`Applied ${all.join(', ')}\n`, 'The schema is up to date\n']);
  });

  test('warns of records without a valid tax id', async () => {
    const { url, sql } = await open(createTestDatabase());
    await sql(`insert into customers (id, name, federal_tax_id) values ($1, 'A', 'not a tax id')`, [newId()]);
    const { stderr } = await start({ DATABASE_URL: url });
    expect(stderr).toBe('1 records have an invalid or duplicate tax id. The view invalid_federal_tax_ids lists them.\n');
  });

  test('migrates the database of DATABASE_DIRECT_URL if it is set, because DATABASE_URL then leads to a connection pooler', async () => {
    const direct = await createEmptyDatabase();
    const { stdout } = await start({ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing', DATABASE_DIRECT_URL: direct });
    expect(stdout).toBe(`Applied ${all.join(', ')}\n`);
  });

  test('prints one line and fails without a database', async () => {
    const failures = [start({}), start({ DATABASE_URL: 'postgres://nobody:secret@127.0.0.1:1/nothing' })];
    const [unset, unreachable] = await Promise.allSettled(failures);
    expect(unset).toMatchObject({ reason: { code: 1, stderr: 'DATABASE_URL is not set\n' } });
    const stderr: unknown = expect.stringMatching(/^The migrations could not run: .*ECONNREFUSED.*\n$/);
    expect(unreachable).toMatchObject({ reason: { code: 1, stderr } });
  });
});
