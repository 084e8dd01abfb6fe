import { inFile, type Mutant } from '../mutant.ts';

const scopePredicates = inFile('packages/db/src/scope/scope.ts');
const attachmentTarget = inFile('packages/db/src/scope/attachment-target.ts');
const organizationCount = inFile('packages/db/src/scope/organization-count.ts');
const scopedDatabase = inFile('packages/db/src/scope/scoped-database.ts');
const scopedTables = inFile('packages/db/src/scope/scoped-tables.ts');
const patchStatements = inFile('packages/db/src/queries/patch.ts');

/** Predicates of the organization scope that are missing or too wide. */
export const scope: readonly Mutant[] = [
  scopePredicates(
    'A user reads organizations of every tenant',
    "return [eb.and([eb('organizations.deletedAt', 'is', null), organizationInScope(scope, 'organizations.id')])];",
    "return [eb('organizations.deletedAt', 'is', null)];",
  ),
  scopePredicates(
    'A user reads deleted organizations',
    "return [eb.and([eb('organizations.deletedAt', 'is', null), organizationInScope(scope, 'organizations.id')])];",
    "return [organizationInScope(scope, 'organizations.id')];",
  ),
  scopePredicates(
    'A user reads addresses of every tenant',
    "return [ofOrganizationInScope(scope, 'organizationAddresses.organizationId')];",
    'return [eb.lit(true)];',
  ),
  scopePredicates(
    'A user reads contacts of every tenant',
    "return [ofOrganizationInScope(scope, 'organizationContacts.organizationId')];",
    'return [eb.lit(true)];',
  ),
  scopePredicates(
    'A Global user reads records of a deleted organization',
    'return eb.and([eb.not(eb.exists(deletedOrganization(organizationId))), organizationInScope(scope, organizationId)]);',
    'return organizationInScope(scope, organizationId);',
  ),
  organizationCount(
    'A total counts the organizations of every tenant',
    'return sumOfCounter(scope.tenantId);',
    'return sumOfCounter(allOrganizations);',
  ),
  organizationCount('A total counts the grants of every member', "        .where('userId', '=', scope.userId)\n", ''),
  scopePredicates('A link to any tenant opens an organization', "          .where('link.tenantId', '=', scope.tenantId)\n", ''),
  scopePredicates('A grant to any member opens an organization', "          .where('grant.userId', '=', scope.userId)\n", ''),
  scopePredicates(
    'A grant in another tenant opens an organization in the active one',
    "          .where('grant.tenantId', '=', scope.tenantId)\n",
    '',
  ),
  scopePredicates(
    'A user reads files of other tenants that belong to no organization',
    "    eb('attachments.tenantId', '=', scope.tenantId),\n",
    '',
  ),
  scopePredicates(
    'A RESTRICTED member reads files that other members uploaded',
    "    ...(scope.kind === 'restricted' ? [eb('attachments.userId', '=', scope.userId)] : []),\n",
    '',
  ),
  scopePredicates(
    'A tenant reads its uploads to an organization that is unlinked or not granted',
    "    eb.not(eb.exists(organization('attachments.entityId'))),\n",
    '',
  ),
  scopePredicates(
    "A user reads files of every tenant's organizations",
    "const ofOrganization = eb.and([live, ofOrganizationInScope(scope, 'attachments.entityId')]);",
    "const ofOrganization = eb.and([live, eb.exists(organization('attachments.entityId'))]);",
  ),
  scopePredicates(
    "Deleted files are listed as an organization's documents",
    "const isDocument = eb.and([eb('attachments.deletedAt', 'is', null), eb('attachments.entityType', '=', 'DOCUMENT')]);",
    "const isDocument = eb('attachments.entityType', '=', 'DOCUMENT');",
    'apps/api/test/resources/documents.test.ts',
  ),
  scopePredicates(
    'An application lists documents of every tenant',
    "return eb.and([isDocument, ...ofOrganization, ofOrganizationInScope(scope, 'attachments.entityId')]);",
    "return eb.and([isDocument, eb.exists(organization('attachments.entityId'))]);",
  ),
  patchStatements('A user changes records of every tenant', '(scope) => [inScope(table, scope)]', '() => []'),
  scopedTables(
    'A user deletes records of every tenant',
    '(queries.deleteFrom(table) as unknown as DeleteQueryBuilder<DB, T, DeleteResult>).where(inScope(table, scope))',
    'queries.deleteFrom(table) as unknown as DeleteQueryBuilder<DB, T, DeleteResult>',
  ),
  scopedTables(
    'A user deletes files of every tenant',
    '(queries.updateTable(table) as unknown as UpdateQueryBuilder<DB, T, T, UpdateResult>).where(inScope(table, scope))',
    'queries.updateTable(table) as unknown as UpdateQueryBuilder<DB, T, T, UpdateResult>',
  ),
  scopedDatabase(
    'A user creates addresses and contacts in organizations of every tenant',
    "tables.organizations().select('organizations.id').where('organizations.id', '=', p.id).forNoKeyUpdate(),",
    "tables.organizations().clearWhere().select('organizations.id').where('organizations.id', '=', p.id).forNoKeyUpdate(),",
  ),
  scopedDatabase(
    'A user filters by an organization outside the scope',
    'return Boolean(await this.first(findOrganization, { id: organizationId }));',
    'return Boolean(organizationId);',
  ),
  scopedDatabase(
    'A user attaches a file to an organization outside the scope',
    'return !(await this.first(anyOrganization, { entityId }));',
    'return Boolean(entityId);',
  ),
  attachmentTarget('A link to any tenant allows attaching a file', "        .where('link.tenantId', '=', scope.tenantId)\n", ''),
  attachmentTarget(
    'A grant to any member allows attaching a file',
    "        .where('grant.userId', '=', scope.userId)\n",
    '',
    'packages/db/test/scope.test.ts',
  ),
  attachmentTarget(
    'A file is attached to an organization deleted at the same time',
    "    .forShare('organizations');\n",
    ';\n',
    'apps/api/test/resources/attachments-races.test.ts',
  ),
  attachmentTarget(
    'A file is attached to an organization unlinked at the same time',
    "        .forKeyShare('link');\n",
    ';\n',
    'apps/api/test/resources/attachments-races.test.ts',
  ),
  attachmentTarget(
    'A file is attached to an organization whose grant is removed at the same time',
    "        .forKeyShare('grant');\n",
    ';\n',
    'apps/api/test/resources/attachments-races.test.ts',
  ),
  scopedTables(
    'An upload belongs to no tenant',
    'tenantId: isInTenant ? scope.tenantId : null',
    'tenantId: isInTenant ? null : null',
    'apps/api/test/resources/attachments.test.ts',
  ),
];
