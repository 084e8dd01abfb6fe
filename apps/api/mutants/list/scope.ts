import { dropCondition, remove, removeCall, replace, returns } from '../changes.ts';
import { mutant, type Mutant } from '../mutant.ts';

const races = 'apps/api/test/resources/attachments-scope.test.ts';

/** Predicates of the organization scope that are missing or too wide. */
export const scope: readonly Mutant[] = [
  mutant('A user reads organizations of every tenant', removeCall('alternativesInScope', 'organizationInScope')),
  mutant('A user reads deleted organizations', dropCondition('alternativesInScope', 'organizations.deletedAt')),
  mutant(
    'A user reads addresses of every tenant',
    replace('alternativesInScope', "ofOrganizationInScope(_, 'organizationAddresses.organizationId')", 'eb.lit(true)'),
  ),
  mutant(
    'A user reads contacts of every tenant',
    replace('alternativesInScope', "ofOrganizationInScope(_, 'organizationContacts.organizationId')", 'eb.lit(true)'),
  ),
  mutant(
    'A Global user reads records of a deleted organization',
    remove('ofOrganizationInScope', 'eb.not(eb.exists(deletedOrganization(_)))'),
  ),
  mutant(
    'A total counts the organizations of every tenant',
    replace('countInScope', 'sumOfCounter(scope.tenantId)', 'sumOfCounter(allOrganizations)'),
  ),
  mutant(
    'A list without filters has the organizations of every tenant',
    replace('idsInScope', "queries.selectFrom('organizationTenants').select(_).where(_, _, _)", 'organizations'),
  ),
  mutant('A list without filters has the grants of every member', dropCondition('idsInScope', 'userId')),
  mutant(
    'A list without filters has the grants of other tenants',
    replace(
      'idsInScope',
      "_grants.where('userId', '=', _user).where('tenantId', '=', scope.tenantId)",
      "_grants.where('userId', '=', _user)",
    ),
  ),
  mutant('A link to any tenant opens an organization', dropCondition('organizationInScope', 'link.tenantId')),
  mutant('A grant to any member opens an organization', dropCondition('organizationInScope', 'grant.userId')),
  mutant('A grant in another tenant opens an organization in the active one', dropCondition('organizationInScope', 'grant.tenantId')),
  mutant(
    'A user reads files of other tenants that belong to no organization',
    dropCondition('scope/scope/attachmentsInScope', 'attachments.tenantId'),
  ),
  mutant(
    'A RESTRICTED member reads files that other members uploaded',
    dropCondition('scope/scope/attachmentsInScope', 'attachments.userId'),
  ),
  mutant(
    'A tenant reads its uploads to an organization that is unlinked or not granted',
    remove('scope/scope/attachmentsInScope', 'eb.not(eb.exists(organization(_)))'),
  ),
  mutant(
    "A user reads files of every tenant's organizations",
    replace('scope/scope/attachmentsInScope', 'ofOrganizationInScope(scope, _id)', 'eb.exists(organization(_id))'),
  ),
  mutant(
    "Deleted files are listed as an organization's documents",
    dropCondition('documentInScope', 'attachments.deletedAt'),
    'apps/api/test/resources/attachments.test.ts',
  ),
  mutant(
    'An application lists documents of every tenant',
    replace('documentInScope', 'ofOrganizationInScope(scope, _id)', 'eb.exists(organization(_id))'),
  ),
  mutant('A user changes records of every tenant', removeCall('scopedPatchStatement', 'inScope')),
  mutant('A user deletes records of every tenant', removeCall('scopedTables.deleteFrom', 'where')),
  mutant('A user deletes files of every tenant', removeCall('scopedTables.updateTable', 'where')),
  mutant(
    'A user creates addresses and contacts in organizations of every tenant',
    replace('queries/lockOrganizationBy', 'lockInScope(scope, _id, _lock)', "lockInScope({ kind: 'all' }, _id, _lock)"),
  ),
  mutant('A user filters by an organization outside the scope', returns('ScopedDatabase.isInScope', 'true')),
  mutant(
    'A user attaches a file to an organization outside the scope',
    replace('ScopedDatabase.lockAttachmentTarget', '!(await this.first(anyOrganization, _))', 'true'),
  ),
  mutant('A link to any tenant allows attaching a file', dropCondition('queries/lockInScope', 'link.tenantId')),
  mutant(
    'A grant to any member allows attaching a file',
    dropCondition('queries/lockInScope', 'grant.userId'),
    'packages/db/test/scope.test.ts',
  ),
  mutant(
    'A file is attached to an organization deleted at the same time',
    replace('queries/lockForAttachment', "'forShare'", "'forKeyShare'"),
    races,
  ),
  mutant(
    'A file is attached to an organization unlinked at the same time',
    removeCall('queries/lockInScope', "forKeyShare('link')"),
    races,
  ),
  mutant(
    'A file is attached to an organization whose grant is removed at the same time',
    removeCall('queries/lockInScope', "forKeyShare('grant')"),
    races,
  ),
  mutant(
    'An upload belongs to no tenant',
    replace('scopedTables.insertAttachment', 'tenantOf(scope)', 'null'),
    'apps/api/test/resources/attachments.test.ts',
  ),
];
