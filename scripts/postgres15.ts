import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** Returns the settings with which tests run on PostgreSQL 15: the programs in POSTGRES_BIN, or those of Debian. */
export const postgres15 = (): { POSTGRES_BIN: string } => ({ POSTGRES_BIN: process.env['POSTGRES_BIN'] || '/usr/lib/postgresql/15/bin' });

/** Whether these programs are installed, and are of version 15. */
export function isPostgres15(): boolean {
  const { stdout } = spawnSync(join(postgres15().POSTGRES_BIN, 'postgres'), ['--version'], { encoding: 'utf8' });
  return stdout?.includes('(PostgreSQL) 15.') ?? false;
}
