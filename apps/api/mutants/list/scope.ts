import { inFile, type Mutant } from '../mutant.ts';

const predicate = inFile('packages/db/src/scope.ts');
const attachable = inFile('packages/db/src/attachment-target.ts');
const database = inFile('packages/db/src/scoped-database.ts');
const tables = inFile('packages/db/src/scoped-tables.ts');
const patches = inFile('packages/db/src/statements/patch.ts');

/** The tenant scope: predicates left out, or too wide. */
export const scope: readonly Mutant[] = [
  predicate(
    'organizations of all tenants are seen',
    "return [eb.and([eb('organizations.deletedAt', 'is', null), organizationInScope(scope, 'organizations.id')])];",
    "return [eb('organizations.deletedAt', 'is', null)];",
  ),
  predicate(
    'deleted organizations are seen',
    "return [eb.and([eb('organizations.deletedAt', 'is', null), organizationInScope(scope, 'organizations.id')])];",
    "return [organizationInScope(scope, 'organizations.id')];",
  ),
  predicate(
    'addresses of all tenants are seen',
    "return [ofOrganizationInScope(scope, 'organizationAddresses.organizationId')];",
    'return [eb.lit(true)];',
  ),
  predicate(
    'contacts of all tenants are seen',
    "return [ofOrganizationInScope(scope, 'organizationContacts.organizationId')];",
    'return [eb.lit(true)];',
  ),
  predicate(
    'what belongs to a deleted organization is still seen by whoever sees all',
    'return eb.and([eb.not(eb.exists(deletedOrganization(organizationId))), organizationInScope(scope, organizationId)]);',
    'return organizationInScope(scope, organizationId);',
  ),
  predicate('a link of any tenant is as good as one of the active tenant', "          .where('link.tenantId', '=', scope.tenantId)\n", ''),
  predicate(
    'a grant to anybody in the tenant is as good as one to the caller',
    "          .where('grant.userId', '=', scope.userId)\n",
    '',
  ),
  predicate('a grant in another tenant counts in the active one', "          .where('grant.tenantId', '=', scope.tenantId)\n", ''),
  predicate('files that belong to no organization are seen by all tenants', "    eb('attachments.tenantId', '=', scope.tenantId),\n", ''),
  predicate(
    'a RESTRICTED member sees what others of the tenant uploaded',
    "    ...(scope.kind === 'restricted' ? [eb('attachments.userId', '=', scope.userId)] : []),\n",
    '',
  ),
  predicate(
    'files of an organization that is unlinked, or not granted, are seen by the tenant that uploaded them',
    "    eb.not(eb.exists(organization('attachments.entityId'))),\n",
    '',
  ),
  predicate(
    'files of organizations of all tenants are seen',
    "const ofOrganization = eb.and([live, ofOrganizationInScope(scope, 'attachments.entityId')]);",
    "const ofOrganization = eb.and([live, eb.exists(organization('attachments.entityId'))]);",
  ),
  predicate(
    "deleted files are seen as an organization's documents",
    "const isDocument = eb.and([eb('attachments.deletedAt', 'is', null), eb('attachments.entityType', '=', 'DOCUMENT')]);",
    "const isDocument = eb('attachments.entityType', '=', 'DOCUMENT');",
  ),
  predicate(
    'documents of all tenants are listed',
    "return eb.and([isDocument, ...ofOrganization, ofOrganizationInScope(scope, 'attachments.entityId')]);",
    "return eb.and([isDocument, eb.exists(organization('attachments.entityId'))]);",
  ),
  patches('records of all tenants can be changed', '(scope) => [inScope(table, scope)]', '() => []'),
  tables(
    'records of all tenants can be removed',
    '(queries.deleteFrom(table) as unknown as DeleteQueryBuilder<DB, T, DeleteResult>).where(inScope(table, scope))',
    'queries.deleteFrom(table) as unknown as DeleteQueryBuilder<DB, T, DeleteResult>',
  ),
  tables(
    'files of all tenants can be removed',
    '(queries.updateTable(table) as unknown as UpdateQueryBuilder<DB, T, T, UpdateResult>).where(inScope(table, scope))',
    'queries.updateTable(table) as unknown as UpdateQueryBuilder<DB, T, T, UpdateResult>',
  ),
  database(
    'addresses and contacts can be given to organizations of all tenants',
    "tables.organizations().select('organizations.id').where('organizations.id', '=', p.id).forNoKeyUpdate(),",
    "tables.organizations().clearWhere().select('organizations.id').where('organizations.id', '=', p.id).forNoKeyUpdate(),",
  ),
  database(
    'a filter by an organization outside the scope is accepted',
    'return Boolean(await this.first(findOrganization, { id: organizationId }));',
    'return Boolean(organizationId);',
  ),
  database(
    'files can be attached to organizations outside the scope',
    'return !(await this.first(anyOrganization, { entityId }));',
    'return Boolean(entityId);',
  ),
  attachable('a file is attached by the link of any tenant', "        .where('link.tenantId', '=', scope.tenantId)\n", ''),
  attachable(
    'a file is attached by the grant of anybody in the tenant',
    "        .where('grant.userId', '=', scope.userId)\n",
    '',
    'packages/db/test/scope.test.ts',
  ),
  attachable(
    'a file is attached to an organization that is deleted meanwhile',
    "    .forShare('organizations');\n",
    ';\n',
    'apps/api/test/resources/attachments-races.test.ts',
  ),
  attachable(
    'a file is attached to an organization that is unlinked meanwhile',
    "        .forKeyShare('link');\n",
    ';\n',
    'apps/api/test/resources/attachments-races.test.ts',
  ),
  attachable(
    'a file is attached to an organization whose grant is taken away meanwhile',
    "        .forKeyShare('grant');\n",
    ';\n',
    'apps/api/test/resources/attachments-races.test.ts',
  ),
  tables('an upload belongs to no tenant', 'tenantId: isInTenant ? scope.tenantId : null', 'tenantId: isInTenant ? null : null'),
];
