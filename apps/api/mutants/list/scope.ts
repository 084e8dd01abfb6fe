import { inFile, type Mutant } from '../mutant.ts';

const predicate = inFile('packages/db/src/scope.ts');
const attachable = inFile('packages/db/src/attachment-target.ts');
const database = inFile('packages/db/src/scoped-database.ts');

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
  database(
    'records of all tenants can be invalidateCallers',
    "patchWhere(whole, table, (eb) => eb.and([eb(`id`, '=', id), inScope(table, scope)]), changes)",
    "patchWhere(whole, table, (eb) => eb.and([eb(`id`, '=', id)]), changes)",
  ),
  database(
    'records of all tenants can be removed',
    '(whole.deleteFrom(table) as unknown as DeleteQueryBuilder<DB, T, DeleteResult>).where(inScope(table, scope))',
    'whole.deleteFrom(table) as unknown as DeleteQueryBuilder<DB, T, DeleteResult>',
  ),
  database(
    'files of all tenants can be removed',
    '(whole.updateTable(table) as unknown as UpdateQueryBuilder<DB, T, T, UpdateResult>).where(inScope(table, scope))',
    'whole.updateTable(table) as unknown as UpdateQueryBuilder<DB, T, T, UpdateResult>',
  ),
  database(
    'addresses and contacts can be given to organizations of all tenants',
    "      const locked = await organizations()\n        .select('organizations.id')",
    "      const locked = await whole\n        .selectFrom('organizations')\n        .select('organizations.id')",
  ),
  database(
    'a filter by an organization outside the scope is accepted',
    "Boolean(await organizations().select('organizations.id').where('organizations.id', '=', id).executeTakeFirst()),",
    'true,',
  ),
  attachable(
    'files can be attached to organizations outside the scope',
    '  return !(await whole.selectFrom',
    '  return true || !(await whole.selectFrom',
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
    "        .forKeyShare('link')\n",
    '',
    'apps/api/test/resources/attachments-races.test.ts',
  ),
  attachable(
    'a file is attached to an organization whose grant is taken away meanwhile',
    "        .forKeyShare('grant')\n",
    '',
    'apps/api/test/resources/attachments-races.test.ts',
  ),
  database(
    'an upload belongs to no tenant',
    "whole.insertInto('attachments').values({ ...values, tenantId: 'tenantId' in scope ? scope.tenantId : null }),",
    "whole.insertInto('attachments').values({ ...values, tenantId: null }),",
  ),
];
