import { inFile, type Mutant } from '../mutant.ts';

const pageStatements = inFile('packages/db/src/queries/page.ts');
const organizationSchema = inFile('packages/db/src/migrations/0004-organizations.ts');
const organizations = inFile('apps/api/src/resources/organizations.ts');
const createOrganization = inFile('apps/api/src/resources/create-organization.ts');
const serviceOrganizations = inFile('apps/api/src/resources/service-organizations.ts');
const tenants = inFile('apps/api/src/resources/tenants.ts');
const memberships = inFile('apps/api/src/resources/memberships.ts');
const scopes = inFile('apps/api/src/resources/organization-scopes.ts');
const attachments = inFile('apps/api/src/resources/attachments.ts');
const serviceDocuments = inFile('apps/api/src/resources/service-documents.ts');

const crudTest = 'apps/api/test/resources/crud.test.ts';

/** Queries of single tables, totals, and cascades. */
export const queries: readonly Mutant[] = [
  pageStatements(
    'A total counts records outside the scope',
    '(build(p, scope) as AnySelect<Row>).clearSelect()',
    '(build(p, scope) as AnySelect<Row>).clearWhere().clearSelect()',
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
    "      if (otherLink) throw new ProblemError('ORGANIZATION_IN_USE');\n",
    '',
  ),
  organizations(
    'A user filters organizations by one outside the scope',
    '  await assertInScope(caller, scoped, input.organizationId);\n',
    '',
  ),
  createOrganization('A new organization is linked to no tenant', 'if (tenantId === null) return', 'if (tenantId !== undefined) return'),
  serviceOrganizations(
    'An application finds deleted organizations by tax id',
    ".where('federalTaxId', '=', p.federalTaxId).where('deletedAt', 'is', null)",
    ".where('federalTaxId', '=', p.federalTaxId)",
    'apps/api/test/resources/organizations-deletion.test.ts',
  ),
  serviceOrganizations('An application removes the links of every tenant', ".where('tenantId', '=', p.tenantId)", ''),
  tenants(
    'A RESTRICTED member lists every organization of the tenant',
    'scopedStatement((scoped, p: Placeholders<{ tenantId: string }>) =>\n  scoped\n    .organizationsOf(p.tenantId)',
    "statement((db, p: Placeholders<{ tenantId: string }>) =>\n  (db as unknown as import('kysely').Kysely<import('@profile-service/db').DB>)\n    .selectFrom('organizations').innerJoin('organizationTenants', 'organizationTenants.organizationId', 'organizations.id').where('organizationTenants.tenantId', '=', p.tenantId)",
  ),
  memberships(
    'Deleted users are listed as members of a tenant',
    "    .where('memberships.tenantId', '=', p.tenantId)\n    .where('users.deletedAt', 'is', null)\n",
    "    .where('memberships.tenantId', '=', p.tenantId)\n",
  ),
  memberships(
    'Members of every tenant are listed as members of one',
    "    .where('memberships.tenantId', '=', p.tenantId)\n    .where('users.deletedAt', 'is', null)\n",
    "    .where('users.deletedAt', 'is', null)\n",
  ),
  memberships(
    'Removing one membership removes all memberships of the user',
    "db.deleteFrom('memberships').where('userId', '=', p.userId).where('tenantId', '=', p.tenantId),",
    "db.deleteFrom('memberships').where('userId', '=', p.userId),",
  ),
  scopes(
    'Restricting one member restricts every member of the tenant',
    "set({ scope: p.scope }).where('userId', '=', p.userId).where('tenantId', '=', p.tenantId),",
    "set({ scope: p.scope }).where('tenantId', '=', p.tenantId),",
  ),
  attachments(
    'A user uploads a file to an organization outside the scope',
    '        await assertAttachable(tx.scoped, fields.entityId);\n',
    '',
  ),
  attachments(
    'A user moves a file to an organization outside the scope',
    '    await assertTarget({ input, scoped });\n    return',
    '    return',
  ),
  {
    why: 'A user moves a contact to an organization outside the scope',
    test: crudTest,
    changes: [
      {
        file: 'packages/contracts/src/organization-contacts.ts',
        find: '  .object({ ...fields, isPrimary })\n  .partial()',
        replace: '  .object({ ...fields, isPrimary, organizationId })\n  .partial()',
      },
      {
        file: 'apps/api/src/resources/organization-contacts.ts',
        find: "scopedPatchStatement('organizationContacts', contactColumns)",
        replace: "scopedPatchStatement('organizationContacts', [...contactColumns, 'organizationId'])",
      },
    ],
  },
  {
    why: 'A user moves an address to an organization outside the scope',
    test: crudTest,
    changes: [
      {
        file: 'packages/contracts/src/organization-addresses.ts',
        find: '    ...z.object(required).partial().shape,',
        replace: '    ...z.object({ ...required, organizationId: Uuid }).partial().shape,',
      },
      {
        file: 'apps/api/src/resources/organization-addresses.ts',
        find: "scopedPatchStatement('organizationAddresses', addressColumns)",
        replace: "scopedPatchStatement('organizationAddresses', [...addressColumns, 'organizationId'])",
      },
    ],
  },
  {
    why: "A user takes over another user's identity",
    test: crudTest,
    changes: [
      {
        file: 'packages/contracts/src/users.ts',
        find: 'const UserUpdate = z\n  .object(\n    describeLike(User, {',
        replace: 'const UserUpdate = z\n  .object(\n    describeLike(User, {\n      idIdentity: z.string(),',
      },
      {
        file: 'apps/api/src/resources/users.ts',
        find: "patchStatement('users', 'id', ['name',",
        replace: "patchStatement('users', 'id', ['idIdentity', 'name',",
      },
    ],
  },
  serviceDocuments(
    'An application filters documents by an organization outside the scope',
    '    await assertInScope(caller, scoped, input.organizationId);\n',
    '',
  ),
];
