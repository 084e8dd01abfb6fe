import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const debianFolder = '/usr/lib/postgresql/15/bin';

/** Returns the settings with which tests run on PostgreSQL 15: the programs in POSTGRES_BIN, or those of Debian. Throws if they are missing or of another version. */
export function postgres15(): { POSTGRES_BIN: string } {
  const folder = process.env['POSTGRES_BIN'] || debianFolder;
  const program = join(folder, 'postgres');
  const { stdout, error } = spawnSync(program, ['--version'], { encoding: 'utf8' });
  if (!stdout?.includes('(PostgreSQL) 15.')) {
    const found = error ? `there is no ${program}` : `${program} is ${stdout.trim()}`;
    const remedy = 'Install it (apt-get install postgresql-15), or set POSTGRES_BIN to the folder of its programs.';
    throw new Error(`PostgreSQL 15 is missing: ${found}. ${remedy}`, { cause: error });
  }
  return { POSTGRES_BIN: folder };
}
