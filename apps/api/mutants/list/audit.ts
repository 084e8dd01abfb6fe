import { inFile, type Mutant } from '../mutant.ts';

const scope = inFile('packages/db/src/journal/entry-scope.ts');
const entries = inFile('packages/db/src/journal/visible-entries.ts');
const readable = inFile('apps/api/src/journal/readable-records.ts');
const parts = inFile('apps/api/src/journal/visibility.ts');
const list = inFile('apps/api/src/journal/entries.ts');
const cursor = inFile('apps/api/src/journal/cursor.ts');
const refusal = inFile('apps/api/src/request/record-refusal.ts');

const visibility = 'apps/api/test/audit/visibility.test.ts';
const sharedRecords = 'apps/api/test/audit/shared-records.test.ts';
const cursors = 'apps/api/test/audit/cursor.test.ts';
const refusals = 'apps/api/test/audit/refusals.test.ts';

/** What callers see of the audit log, and what it records of refused calls. */
export const audit: readonly Mutant[] = [
  scope(
    'A user reads the audit entries of every tenant',
    "eb('auditEntries.tenantId', '=', tenantId)",
    "eb.or([eb('auditEntries.tenantId', '=', tenantId), eb('auditEntries.tenantId', 'is not', null)])",
  ),
  scope('A member of any tenant is shown as an actor', "    .where('member.tenantId', '=', scope.tenantId)\n", ''),
  scope(
    'A deleted user is shown as an actor',
    "    .where('user.deletedAt', 'is', null);",
    "    .where('user.id', 'is not', null);",
    visibility,
  ),
  scope(
    'The application of any tenant is shown as an actor',
    "eb('auditEntries.actorId', '=', scope.tenantId)",
    "eb('auditEntries.actorId', 'is not', null)",
  ),
  scope(
    'An application reads the values of files that are no documents',
    "        .where('document.entityType', '=', 'DOCUMENT'),\n",
    '',
    visibility,
  ),
  entries(
    'A user filters audit entries by an actor whom they may not see',
    "eb.and([eb('auditEntries.actorId', '=', id), actorVisible(scope)])",
    "eb('auditEntries.actorId', '=', id)",
  ),
  entries(
    'A user filters audit entries by a tenant that they may not see',
    "eb.and([eb('auditEntries.tenantId', '=', id), actorVisible(scope)])",
    "eb('auditEntries.tenantId', '=', id)",
  ),
  entries(
    'A user reads the audit entries of organizations outside the scope',
    'pageOf(p, scope, entryOfOrganization(scope))',
    "pageOf(p, scope, entryOfOrganization({ kind: 'all' }))",
  ),
  entries(
    'A user sees in which tenant a foreign actor worked',
    "[shownIf(actorVisible(scope), 'actorId'), shownIf(actorVisible(scope), 'tenantId')]",
    "[shownIf(actorVisible(scope), 'actorId'), eb.ref('auditEntries.tenantId').as('tenantId')]",
  ),
  entries(
    'A user sees the actors of other tenants',
    "[shownIf(actorVisible(scope), 'actorId'), shownIf(actorVisible(scope), 'tenantId')]",
    "[eb.ref('auditEntries.actorId').as('actorId'), shownIf(actorVisible(scope), 'tenantId')]",
  ),
  readable(
    'A tenant-admin reads the values of tenants and links of others',
    "decision === 'allowed' || (decision === 'own-tenant' && caller.tenant !== null && tenantOf(id) === caller.tenant.id)",
    "decision === 'allowed' || decision === 'own-tenant'",
    visibility,
  ),
  readable('A tenant-admin reads the values of users', "  return all.includes('allowed')", '  return all.length > 0'),
  readable(
    'An application reads the values of organizations outside its scope',
    '  if (!organizationInScope) return false;\n',
    '  void organizationInScope;\n',
  ),
  readable(
    'An application reads all values',
    "if (caller.kind === 'service') return isShownToApplication;",
    "if (caller.kind === 'service') return () => true;",
  ),
  list('A user reads the values of related records', 'changes: mayRead(entry, other) ?', 'changes: mayRead(entry, other) || true ?'),
  list(
    'A user filters audit entries by an organization outside the scope',
    "  if (caller.organizationScope.kind !== 'all') await assertInScope(caller, scoped, filters.organizationId);\n",
    '  void assertInScope;\n',
  ),
  parts(
    'A change of a shared record shows a tenant the rows of all tenants',
    'return organizationId !== null && (organizationId === entry.organizationId || entry.organizationsInScope.includes(organizationId));',
    'return true;',
    sharedRecords,
  ),
  entries(
    'A related row of any organization counts as in scope',
    "where ${inScope('organizations', scope)} and organizations.id",
    'where organizations.id',
    sharedRecords,
  ),
  parts(
    'A shared organization shows its links to other tenants',
    'tenantId !== null && tenantOf(row.id) === tenantId',
    'tenantId !== null',
    sharedRecords,
  ),
  parts(
    'The counts of a shared record include rows of other tenants',
    "ownershipOf(recordType) !== 'shared'",
    'ownershipOf(recordType).length > 0',
    sharedRecords,
  ),
  parts(
    'A moved attachment shows an organization outside the scope',
    "isOfTenant || typeof earlier !== 'string' || organizationsInScope.includes(earlier)",
    "isOfTenant || typeof earlier !== 'string' || organizationsInScope.length >= 0",
    sharedRecords,
  ),
  scope(
    'The id of a link shows another tenant',
    "eb.or([eb('auditEntries.recordType', 'is distinct from', 'organizationLink'), entryOfTenant(scope)])",
    'eb.lit(true)',
  ),
  entries(
    'A user filters audit entries by a link of another tenant',
    "eb.and([eb('auditEntries.recordId', '=', id), recordIdVisible(scope)])",
    "eb('auditEntries.recordId', '=', id)",
    sharedRecords,
  ),
  cursor('A cursor is accepted with other filters', 'if (cursor.filters !== hashOf(filters))', 'if (!hashOf(filters))', cursors),
  entries(
    'Entries of the same millisecond are missing in the audit log',
    '`(audit_entries.occurred_at, audit_entries.id) < (${time}, ${p.beforeId})`',
    '`audit_entries.occurred_at < ${time} or ${p.beforeId} is null`',
    cursors,
  ),
  refusal(
    'Refused calls are not recorded',
    'if (status !== 403 || !context.hasCaller)',
    'if (status !== 404 || !context.hasCaller)',
    refusals,
  ),
  refusal('A refused caller makes the database work without a limit', 'counted.isOver', '!actor.kind', refusals),
];
