import { spawnSync } from 'node:child_process';
import { loadData } from '../data/load.ts';
import type { Size } from '../data/size.ts';
import { createDatabase } from '../../test/create-database.ts';
import type { BuiltService } from './build.ts';
import type { BenchPostgres } from './postgres.ts';

/** Migrates the empty database by the service's own programs, and loads states and cities. Databases with data are copies of it. */
export function prepareTemplate({ migrate, geography }: BuiltService, { url }: BenchPostgres): void {
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
