import { spawnSync } from 'node:child_process';
import pg from 'pg';
import { loadData } from '../data/load.ts';
import type { Size } from '../data/size.ts';
import { createDatabase } from '../../test/create-database.ts';
import type { BuiltService } from './build.ts';
import type { BenchPostgres } from './postgres.ts';

/** Migrates the empty database by the service's own programs, and loads states and cities. Databases with data are copies of it. */
export function prepareTemplate({ migrate, geography }: Omit<BuiltService, 'main'>, { url }: Pick<BenchPostgres, 'url'>): void {
  for (const program of [migrate, geography]) {
    const { status, stderr } = spawnSync(process.execPath, [program], { env: { DATABASE_URL: url }, encoding: 'utf8' });
    if (status !== 0) throw new Error(`${program} failed: ${stderr}`);
  }
}

/** Creates a database with the data of this size. Returns its connection string. */
export async function createFilledDatabase({ adminUrl, url }: BenchPostgres, size: Size): Promise<string> {
  const created = await createDatabase(adminUrl, size.name, url);
  await loadData(created, size);
  return created;
}

/** Drops the triggers of all tables. Foreign keys stay. */
export async function dropTriggers(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`
      do $$ declare statement text; begin
        for statement in
          select format('drop trigger %I on %s', tgname, tgrelid::regclass) from pg_trigger
          where not tgisinternal and tgparentid = 0 and tgrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace)
        loop
          execute statement;
        end loop;
      end $$`);
  } finally {
    await client.end();
  }
}
