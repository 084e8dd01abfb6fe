import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { createEmptyDatabase } from '../../../test/database.ts';
import { migrate } from '../src/index.ts';
import { migrations } from '../src/migrations/index.ts';

const all = Object.keys(migrations);

async function run(connectionString: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    const { rows } = await client.query({ text, rowMode: 'array' });
    return rows.flat();
  } finally {
    await client.end();
  }
}

const tables = (url: string) => run(url, `select tablename from pg_tables where schemaname = 'public' order by 1`);

describe('migrate', () => {
  test('applies all migrations in order, and none the second time', async () => {
    const url = await createEmptyDatabase();
    expect(await migrate(url)).toEqual(all);
    expect(await migrate(url)).toEqual([]);
    expect(await tables(url)).toEqual(expect.arrayContaining(['attachments', 'cities', 'memberships', 'organizations', 'users']));
  });

  test('runs once when two start at the same time', async () => {
    const url = await createEmptyDatabase();
    const applied = await Promise.all([migrate(url), migrate(url), migrate(url)]);
    expect(applied.flat()).toEqual(all);
  });

  test('says which migration failed and leaves nothing of it', async () => {
    const url = await createEmptyDatabase();
    await run(url, 'create table tenants (mine text)');
    await expect(migrate(url)).rejects.toThrow('Migration 0002-people failed: relation "tenants" already exists');
    expect(await tables(url)).not.toContain('customers');
  });

  test('says that the server is out of reach', async () => {
    await expect(migrate('postgres://nobody@127.0.0.1:1/nothing')).rejects.toThrow(/ECONNREFUSED/);
  });
});

describe('pnpm db:migrate', () => {
  const command = fileURLToPath(new URL('../src/migrate-command.ts', import.meta.url));
  const start = (env: Record<string, string>) => promisify(execFile)(process.execPath, [command], { env });

  test('names what it applied', async () => {
    const DATABASE_URL = await createEmptyDatabase();
    expect((await start({ DATABASE_URL })).stdout).toBe(`Applied ${all.join(', ')}\n`);
    expect((await start({ DATABASE_URL })).stdout).toBe('The schema is up to date\n');
  });

  test('fails with one clear line', async () => {
    await expect(start({})).rejects.toMatchObject({ code: 1, stderr: 'DATABASE_URL is not set\n' });
    const unreachable = start({ DATABASE_URL: 'postgres://nobody:secret@127.0.0.1:1/nothing' });
    await expect(unreachable).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^The migrations could not run: .*ECONNREFUSED.*\n$/),
    });
  });
});
