import { accessSync } from 'node:fs';
import { join } from 'node:path';

const debianFolder = '/usr/lib/postgresql/15/bin';

/** Returns the settings with which tests run on PostgreSQL 15: the programs in POSTGRES_BIN, or those of Debian. Throws if they are not installed. */
export function postgres15(): { POSTGRES_BIN: string } {
  const folder = process.env['POSTGRES_BIN'] || debianFolder;
  try {
    accessSync(join(folder, 'postgres'));
  } catch (error) {
    const remedy = 'Install it (apt-get install postgresql-15), or set POSTGRES_BIN to the folder of its programs.';
    throw new Error(`PostgreSQL 15 is missing: there is no ${join(folder, 'postgres')}. ${remedy}`, { cause: error });
  }
  return { POSTGRES_BIN: folder };
}
