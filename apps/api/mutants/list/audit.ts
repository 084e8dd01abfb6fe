import { dropCondition, remove, removeCall, replace, returns } from '../changes.ts';
import { mutant, type Mutant } from '../mutant.ts';

const visibility = 'apps/api/test/audit/visibility.test.ts';
const contents = 'apps/api/test/audit/contents.test.ts';
const cursors = 'apps/api/test/audit/cursor.test.ts';
const refusals = 'apps/api/test/audit/refusals.test.ts';

/** What callers see of the audit log, and what it records of refused calls. */
export const audit: readonly Mutant[] = [
  mutant('A user reads the audit entries of every tenant', returns('entryOfTenant', "eb('auditEntries.tenantId', 'is not', null)")),
  mutant('A member of any tenant is shown as an actor', dropCondition('actorVisible', 'member.tenantId')),
  mutant('A deleted user is shown as an actor', dropCondition('actorVisible', 'user.deletedAt'), visibility),
  mutant('The application of any tenant is shown as an actor', dropCondition('actorVisible', 'auditEntries.actorId')),
  mutant(
    'An application reads the values of files that are no documents',
    dropCondition('recordIsDocument', 'document.entityType'),
    visibility,
  ),
  mutant(
    'A user filters audit entries by an actor whom they may not see',
    replace('journal/matches', 'ifGiven(p.actorId, _)', "ifGiven(p.actorId, (id) => eb('auditEntries.actorId', '=', id))"),
  ),
  mutant(
    'A user filters audit entries by a tenant that they may not see',
    replace('journal/matches', 'ifGiven(p.tenantId, _)', "ifGiven(p.tenantId, (id) => eb('auditEntries.tenantId', '=', id))"),
  ),
  mutant(
    'A user reads the audit entries of organizations outside the scope',
    replace('visiblePage', 'entryOfOrganization(_)', "entryOfOrganization({ kind: 'all' })"),
  ),
  mutant(
    'A user sees in which tenant a foreign actor worked',
    replace('listVisibleEntries', "shownIf(_, 'tenantId')", "eb.ref('auditEntries.tenantId').as('tenantId')"),
  ),
  mutant(
    'A user sees the actors of other tenants',
    replace('listVisibleEntries', "shownIf(_, 'actorId')", "eb.ref('auditEntries.actorId').as('actorId')"),
  ),
  mutant(
    'A tenant-admin reads the values of tenants and links of others',
    remove('readableRecords', 'tenantOf(id) === caller.tenant.id'),
    visibility,
  ),
  mutant('A tenant-admin reads the values of users', replace('decide', "all.includes('allowed')", 'all.length > 0')),
  mutant(
    'An application reads the values of organizations outside its scope',
    replace('isShownToApplication', '!organizationInScope', 'false'),
  ),
  mutant('An application reads all values', replace('readableRecords', 'isShownToApplication', '() => true')),
  mutant('A user reads the values of related records', replace('entries/show', 'mayRead(entry, other)', 'true')),
  mutant('A user filters audit entries by an organization outside the scope', removeCall('assertMayFilter', 'assertInScope')),
  mutant(
    'A change of a shared record shows a tenant the rows of all tenants',
    replace('visibilityFor', 'organizationId !== null && _', 'true'),
  ),
  mutant(
    'A related row of any organization counts as in scope',
    replace('journal/organizationsInScope', "inScope('organizations', _)", 'sql`true`'),
    contents,
  ),
  mutant('A shared organization shows its links to other tenants', remove('visibilityFor', 'tenantOf(row.id) === tenantId'), contents),
  mutant(
    'The counts of a shared record include rows of other tenants',
    replace('visibilityFor', "owner === 'organization'", 'true'),
    contents,
  ),
  mutant(
    'The counts of a link are those of another tenant',
    replace('visibilityFor', "owner === 'tenant' && isOfTenant", "owner === 'tenant'"),
  ),
  mutant(
    'A moved attachment shows an organization outside the scope',
    replace('visibilityFor', 'organizationsInScope.includes(earlier)', 'true'),
    contents,
  ),
  mutant('The id of a link shows another tenant', returns('recordIdVisible', 'eb.lit(true)')),
  mutant(
    'A user filters audit entries by a link of another tenant',
    replace('journal/matches', 'ifGiven(p.recordId, _)', "ifGiven(p.recordId, (id) => eb('auditEntries.recordId', '=', id))"),
    contents,
  ),
  mutant('A cursor is accepted with other filters', replace('listCursor.decode', 'cursor.filters !== hashOf(filters)', 'false'), cursors),
  mutant(
    'Entries of the same millisecond are missing in the audit log',
    replace(
      'journal/matches',
      'sql`(audit_entries.occurred_at, audit_entries.id) < (${_time}, ${_id})`',
      'sql`audit_entries.occurred_at < ${_time} or ${_id} is null`',
    ),
    cursors,
  ),
  mutant('Refused calls are not recorded', replace('createRefusalRecorder', 'status !== 403', 'status !== 404'), refusals),
  mutant('A refused caller makes the database work without a limit', replace('createRefusalRecorder', 'counted.isOver', 'false'), refusals),
];
