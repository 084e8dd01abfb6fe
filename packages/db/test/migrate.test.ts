import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { getRollbackPlans } from 'pg-boss';
import manifest from 'pg-boss/package.json' with { type: 'json' };
import { describe, expect, onTestFinished, test } from 'vitest';
import { createEmptyDatabase } from '../../../test/database.ts';
import { startVersionProxy } from '../../../test/version-proxy.ts';
import { migrate } from '../src/index.ts';
import { migrations } from '../src/migrations/index.ts';
import { openDatabase } from './use-database.ts';

const all = Object.keys(migrations);
const { schema: version } = manifest.pgboss;

const openEmpty = async () => openDatabase({ connectionString: await createEmptyDatabase() });

describe('migrate', () => {
  test('applies each migration once, in order, and creates the job queue, also with concurrent calls', async () => {
    const { url, sql } = await openEmpty();
    const applied = await Promise.all([migrate(url), migrate(url), migrate(url)]);
    expect(applied.flat()).toEqual(all);
    expect(await migrate(url)).toEqual([]);
    expect(await sql("select to_regclass('organizations')::text as name")).toEqual([{ name: 'organizations' }]);
    expect(await sql('select version from pgboss.version')).toEqual([{ version }]);
  });

  test('changes nothing on PostgreSQL 14, and nothing if a migration fails, which it names', async () => {
    const { url, sql } = await openEmpty();
    const proxy = await startVersionProxy(url, 140_019);
    onTestFinished(() => proxy.stop());
    const sentence = 'The migrations could not run: PostgreSQL 14 is too old: version 15 or later is required';
    await expect(migrate(proxy.url)).rejects.toThrow(new Error(sentence));
    expect(await sql("select nspname from pg_namespace where nspname = 'pgboss'")).toEqual([]);
    await sql('create table tenants (mine text)');
    await expect(migrate(url)).rejects.toThrow('Migration 0002-people failed: relation "tenants" already exists');
    expect(await sql("select to_regclass('customers') as name")).toEqual([{ name: null }]);
  });

  test('changes nothing in a database that a newer version has migrated, so that a rollback works', async () => {
    const { url, sql } = await openDatabase();
    await sql(`insert into kysely_migration (name, timestamp) values ('9999-next', '2026-01-01T00:00:00Z')`);
    expect(await migrate(url)).toEqual([]);
    expect(await sql('select count(*)::int as count from kysely_migration')).toEqual([{ count: all.length + 1 }]);
    await sql('delete from kysely_migration where name = $1', [all.at(-1)]);
    await expect(migrate(url)).rejects.toThrow('previously executed migration 9999-next is missing');
  });

  test('upgrades an older job queue with its jobs, and does not change a newer one', async () => {
    const { url, sql, database } = await openDatabase();
    await sql(`insert into pgboss.job (name, data) values ('password-mail', '{"userId":"kept"}')`);
    await database.pool.query(getRollbackPlans('pgboss', version));
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

  test('prints the applied migrations and warns of invalid tax ids. DATABASE_URL may lead to a connection pooler', async () => {
    const direct = await createEmptyDatabase();
    const { url, make } = await openDatabase();
    await make.customer({ federalTaxId: 'not a tax id' });
    const [first, second] = await Promise.all([
      start({ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing', DATABASE_DIRECT_URL: direct }),
      start({ DATABASE_URL: url }),
    ]);
    expect(first.stdout).toBe(`Applied ${all.join(', ')}\n`);
    expect(second).toEqual({
      stdout: 'The schema is up to date\n',
      stderr: '1 records have an invalid or duplicate tax id. The view invalid_federal_tax_ids lists them.\n',
    });
  });

  test('prints one line and fails without a database', async () => {
    const failures = [start({}), start({ DATABASE_URL: 'postgres://nobody:secret@127.0.0.1:1/nothing' })];
    const [unset, unreachable] = await Promise.allSettled(failures);
    expect(unset).toMatchObject({ reason: { code: 1, stderr: 'DATABASE_URL is not set\n' } });
    const stderr: unknown = expect.stringMatching(/^The migrations could not run: .*ECONNREFUSED.*\n$/);
    expect(unreachable).toMatchObject({ reason: { code: 1, stderr } });
  });
});
