import type { Migration } from 'kysely/migration';
import { search } from './0001-search.ts';
import { people } from './0002-people.ts';
import { geography } from './0003-geography.ts';
import { organizations } from './0004-organizations.ts';
import { documents } from './0005-documents.ts';
import { geographyChecks } from './0007-geography-checks.ts';
import { fileKeys } from './0008-file-keys.ts';
import { passwordMailJobs } from './0009-password-mail-jobs.ts';
import { geographyUniqueness } from './0010-geography-uniqueness.ts';
import { organizationCounts } from './0011-organization-counts.ts';
import { listIndexes } from './0012-list-indexes.ts';
import { searchStopWords } from './0013-search-stop-words.ts';
import { versions } from './0014-versions.ts';
import { capturedChanges } from './0015-captured-changes.ts';
import { auditEntries } from './0016-audit-entries.ts';
import { events } from './0017-events.ts';
import { idempotencyKeys } from './0018-idempotency-keys.ts';
import { relatedOrganizations } from './0020-related-organizations.ts';
import { inputRules } from './0021-input-rules.ts';
import { journal } from './0022-journal.ts';
import { changeCapture } from './0023-change-capture.ts';
import { appendedOrganizationCounts } from './0024-appended-organization-counts.ts';
import { searchContains } from './0025-search-contains.ts';

/** All migrations by name, in order. Do not rename them, and do not use 0006: databases store the names. The record lets a bundle include them. */
export const migrations: Record<string, Migration> = {
  '0001-search': search,
  '0002-people': people,
  '0003-geography': geography,
  '0004-organizations': organizations,
  '0005-documents': documents,
  '0007-geography-checks': geographyChecks,
  '0008-file-keys': fileKeys,
  '0009-password-mail-jobs': passwordMailJobs,
  '0010-geography-uniqueness': geographyUniqueness,
  '0011-organization-counts': organizationCounts,
  '0012-list-indexes': listIndexes,
  '0013-search-stop-words': searchStopWords,
  '0014-versions': versions,
  '0015-captured-changes': capturedChanges,
  '0016-audit-entries': auditEntries,
  '0017-events': events,
  '0018-idempotency-keys': idempotencyKeys,
  '0020-related-organizations': relatedOrganizations,
  '0021-input-rules': inputRules,
  '0022-journal': journal,
  '0023-change-capture': changeCapture,
  '0024-appended-organization-counts': appendedOrganizationCounts,
  '0025-search-contains': searchContains,
};
