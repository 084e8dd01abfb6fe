import { inFile, type Mutant } from '../mutant.ts';

const scopePredicates = inFile('packages/db/src/scope.ts');
const attachmentTarget = inFile('packages/db/src/attachment-target.ts');
const scopedDatabase = inFile('packages/db/src/scoped-database.ts');

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
  ),
  scopePredicates(
    'An application lists documents of every tenant',
    "return eb.and([isDocument, ...ofOrganization, ofOrganizationInScope(scope, 'attachments.entityId')]);",
    "return eb.and([isDocument, eb.exists(organization('attachments.entityId'))]);",
  ),
  scopedDatabase(
    'A user changes records of every tenant',
    "patchWhere(whole, table, (eb) => eb.and([eb(`id`, '=', id), inScope(table, scope)]), changes)",
    "patchWhere(whole, table, (eb) => eb.and([eb(`id`, '=', id)]), changes)",
  ),
  scopedDatabase(
    'A user deletes records of every tenant',
    '(whole.deleteFrom(table) as unknown as DeleteQueryBuilder<DB, T, DeleteResult>).where(inScope(table, scope))',
    'whole.deleteFrom(table) as unknown as DeleteQueryBuilder<DB, T, DeleteResult>',
  ),
  scopedDatabase(
    'A user deletes files of every tenant',
    '(whole.updateTable(table) as unknown as UpdateQueryBuilder<DB, T, T, UpdateResult>).where(inScope(table, scope))',
    'whole.updateTable(table) as unknown as UpdateQueryBuilder<DB, T, T, UpdateResult>',
  ),
  scopedDatabase(
    'A user creates addresses and contacts in organizations of every tenant',
    "      const locked = await organizations()\n        .select('organizations.id')",
    "      const locked = await whole\n        .selectFrom('organizations')\n        .select('organizations.id')",
  ),
  scopedDatabase(
    'A user filters by an organization outside the scope',
    "Boolean(await organizations().select('organizations.id').where('organizations.id', '=', id).executeTakeFirst()),",
    'true,',
  ),
  attachmentTarget(
    'A user attaches a file to an organization outside the scope',
    '  return !(await whole.selectFrom',
    '  return true || !(await whole.selectFrom',
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
    "        .forKeyShare('link')\n",
    '',
    'apps/api/test/resources/attachments-races.test.ts',
  ),
  attachmentTarget(
    'A file is attached to an organization whose grant is removed at the same time',
    "        .forKeyShare('grant')\n",
    '',
    'apps/api/test/resources/attachments-races.test.ts',
  ),
  scopedDatabase(
    'An upload belongs to no tenant',
    "whole.insertInto('attachments').values({ ...values, tenantId: 'tenantId' in scope ? scope.tenantId : null }),",
    "whole.insertInto('attachments').values({ ...values, tenantId: null }),",
  ),
];
