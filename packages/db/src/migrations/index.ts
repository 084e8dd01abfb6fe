import type { Migration } from 'kysely/migration';
import { search } from './0001-search.ts';
import { people } from './0002-people.ts';
import { geography } from './0003-geography.ts';
import { organizations } from './0004-organizations.ts';
import { documents } from './0005-documents.ts';
import { geographyChecks } from './0007-geography-checks.ts';
import { fileKeys } from './0008-file-keys.ts';
import { passwordMailJobs } from './0009-password-mail-jobs.ts';

/** All migrations by name, in order; databases remember the names, so 0006 stays unused. A record and not a folder, so that a bundled program carries them. */
export const migrations: Record<string, Migration> = {
  '0001-search': search,
  '0002-people': people,
  '0003-geography': geography,
  '0004-organizations': organizations,
  '0005-documents': documents,
  '0007-geography-checks': geographyChecks,
  '0008-file-keys': fileKeys,
  '0009-password-mail-jobs': passwordMailJobs,
};
