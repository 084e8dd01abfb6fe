import { inFile, type Mutant } from '../mutant.ts';

const query = inFile('packages/db/src/query.ts');
const organizationSchema = inFile('packages/db/src/migrations/0004-organizations.ts');
const organizations = inFile('apps/api/src/resources/organizations.ts');
const createOrganization = inFile('apps/api/src/resources/create-organization.ts');
const serviceOrganizations = inFile('apps/api/src/resources/service-organizations.ts');
const tenants = inFile('apps/api/src/resources/tenants.ts');
const memberships = inFile('apps/api/src/resources/memberships.ts');
const scopes = inFile('apps/api/src/resources/organization-scopes.ts');
const attachments = inFile('apps/api/src/resources/attachments.ts');
const serviceDocuments = inFile('apps/api/src/resources/service-documents.ts');

const contacts = inFile('packages/contracts/src/organization-contacts.ts');
const addresses = inFile('packages/contracts/src/organization-addresses.ts');
const users = inFile('packages/contracts/src/users.ts');

/** Queries of single tables, totals, and cascades. */
export const queries: readonly Mutant[] = [
  query(
    'A total counts records outside the scope',
    '  const { total } = await query\n    .clearSelect()',
    '  const { total } = await query\n    .clearWhere()\n    .clearSelect()',
  ),
  organizationSchema(
    'A member regains a grant when its organization is linked again',
    `,
        constraint membership_organizations_link_fkey foreign key (organization_id, tenant_id)
          references organization_tenants (organization_id, tenant_id) on delete cascade
`,
    '\n',
  ),
  organizationSchema(
    'A grant stays after its membership ends',
    `        constraint membership_organizations_membership_fkey foreign key (user_id, tenant_id)
          references memberships on delete cascade,
`,
    '',
  ),
  organizations(
    'A tenant deletes an organization that is linked to other tenants',
    "      if (await others.executeTakeFirst()) throw new ProblemError('ORGANIZATION_IN_USE');\n",
    '      await others.executeTakeFirst();\n',
  ),
  organizations('A user filters organizations by one outside the scope', '  await assertInScope(caller, scoped, organizationId);\n', ''),
  createOrganization('A new organization is linked to no tenant', '  await linkToActiveTenant(db, caller, organizationId);\n', ''),
  serviceOrganizations('An application finds deleted organizations by tax id', "      .where('deletedAt', 'is', null)\n", ''),
  serviceOrganizations('An application removes the links of every tenant', "      .where('tenantId', '=', tenantId)\n", ''),
  tenants(
    'A RESTRICTED member lists every organization of the tenant',
    '    const data = await scoped\n      .organizations()',
    "    const data = await (db as unknown as import('kysely').Kysely<import('@profile-service/db').DB>)\n      .selectFrom('organizations')",
  ),
  memberships(
    'Deleted users are listed as members of a tenant',
    "      .where('memberships.tenantId', '=', tenantId)\n      .where('users.deletedAt', 'is', null)\n",
    "      .where('memberships.tenantId', '=', tenantId)\n",
  ),
  memberships(
    'Members of every tenant are listed as members of one',
    "      .where('memberships.tenantId', '=', tenantId)\n      .where('users.deletedAt', 'is', null)\n",
    "      .where('users.deletedAt', 'is', null)\n",
  ),
  memberships(
    'Removing one membership removes all memberships of the user',
    "where('userId', '=', userId).where('tenantId', '=', tenantId).execute();",
    "where('userId', '=', userId).execute();",
  ),
  scopes(
    'Restricting one member restricts every member of the tenant',
    "set({ scope }).where('userId', '=', userId).where('tenantId', '=', tenantId).execute();",
    "set({ scope }).where('tenantId', '=', tenantId).execute();",
  ),
  attachments(
    'A user uploads a file to an organization outside the scope',
    '        await assertAttachable(unit.scoped, fields.entityId);\n',
    '',
  ),
  attachments(
    'A user moves a file to an organization outside the scope',
    '    await assertAttachable(scoped, fields.entityId);\n    return',
    '    return',
  ),
  contacts(
    'A user moves a contact to an organization outside the scope',
    '  .object({ ...fields, isPrimary })\n  .partial()',
    '  .object({ ...fields, isPrimary, organizationId })\n  .partial()',
  ),
  addresses(
    'A user moves an address to an organization outside the scope',
    '    ...z.object(required).partial().shape,',
    '    ...z.object({ ...required, organizationId: Uuid }).partial().shape,',
  ),
  users(
    "A user takes over another user's identity",
    'const UserUpdate = z\n  .object(\n    describeLike(User, {',
    'const UserUpdate = z\n  .object(\n    describeLike(User, {\n      idIdentity: z.string(),',
  ),
  serviceDocuments(
    'An application filters documents by an organization outside the scope',
    '    await assertInScope(caller, scoped, organizationId);\n',
    '',
  ),
];
