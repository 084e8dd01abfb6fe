import { inFile, type Mutant } from '../mutant.ts';

const pages = inFile('packages/db/src/statements/page.ts');
const schema = inFile('packages/db/src/migrations/0004-organizations.ts');
const organizations = inFile('apps/api/src/resources/organizations.ts');
const creation = inFile('apps/api/src/resources/create-organization.ts');
const service = inFile('apps/api/src/resources/service-organizations.ts');
const tenants = inFile('apps/api/src/resources/tenants.ts');
const memberships = inFile('apps/api/src/resources/memberships.ts');
const scopes = inFile('apps/api/src/resources/organization-scopes.ts');
const attachments = inFile('apps/api/src/resources/attachments.ts');
const documents = inFile('apps/api/src/resources/service-documents.ts');

const contacts = inFile('packages/contracts/src/organization-contacts.ts');
const addresses = inFile('packages/contracts/src/organization-addresses.ts');
const people = inFile('packages/contracts/src/users.ts');

/** Queries of single rows, totals, and what ends with what. */
export const records: readonly Mutant[] = [
  pages(
    'totals count what the caller does not see',
    '(build(p, scope) as AnySelect<Row>).clearSelect()',
    '(build(p, scope) as AnySelect<Row>).clearWhere().clearSelect()',
  ),
  schema(
    'a grant outlives its link: who is linked again is granted again',
    `,
        constraint membership_organizations_link_fkey foreign key (organization_id, tenant_id)
          references organization_tenants (organization_id, tenant_id) on delete cascade
`,
    '\n',
  ),
  schema(
    'a grant outlives its membership',
    `        constraint membership_organizations_membership_fkey foreign key (user_id, tenant_id)
          references memberships on delete cascade,
`,
    '',
  ),
  organizations(
    'a tenant deletes an organization that others work with',
    "      if (others) throw new ProblemError('ORGANIZATION_IN_USE');\n",
    '',
  ),
  organizations('a filter by an organization is not looked at', '  await assertInScope(caller, scoped, input.organizationId);\n', ''),
  creation('an organization is linked to no tenant', '  await linkToActiveTenant(db, caller, organizationId);\n', ''),
  service(
    'deleted organizations are found by their tax id',
    ".where('federalTaxId', '=', p.federalTaxId).where('deletedAt', 'is', null)",
    ".where('federalTaxId', '=', p.federalTaxId)",
  ),
  service('an application ends the links of all tenants', ".where('tenantId', '=', p.tenantId)", ''),
  tenants(
    "a tenant's organizations are shown without regard to the caller's scope",
    'scopedStatement((scoped, p: Placeholders<{ tenantId: string }>) =>\n  scoped\n    .organizations()',
    "statement((db, p: Placeholders<{ tenantId: string }>) =>\n  (db as unknown as import('kysely').Kysely<import('@profile-service/db').DB>)\n    .selectFrom('organizations')",
  ),
  memberships(
    'deleted users are shown among the members of a tenant',
    "    .where('memberships.tenantId', '=', p.tenantId)\n    .where('users.deletedAt', 'is', null)\n",
    "    .where('memberships.tenantId', '=', p.tenantId)\n",
  ),
  memberships(
    "members of all tenants are shown as one tenant's",
    "    .where('memberships.tenantId', '=', p.tenantId)\n    .where('users.deletedAt', 'is', null)\n",
    "    .where('users.deletedAt', 'is', null)\n",
  ),
  memberships(
    'the end of one membership ends all of the user',
    "db.deleteFrom('memberships').where('userId', '=', p.userId).where('tenantId', '=', p.tenantId),",
    "db.deleteFrom('memberships').where('userId', '=', p.userId),",
  ),
  scopes(
    "one user's restriction is everybody's in the tenant",
    "set({ scope: p.scope }).where('userId', '=', p.userId).where('tenantId', '=', p.tenantId),",
    "set({ scope: p.scope }).where('tenantId', '=', p.tenantId),",
  ),
  attachments(
    'an upload may name an organization outside the scope',
    '        await assertAttachable(unit.scoped, fields.entityId);\n',
    '',
  ),
  attachments(
    'a file may be moved to an organization outside the scope',
    '    await assertAttachable(scoped, input.entityId);\n    return',
    '    return',
  ),
  contacts(
    'a contact can be moved to an organization outside the scope',
    '  .object({ ...fields, isPrimary })\n  .partial()',
    '  .object({ ...fields, isPrimary, organizationId })\n  .partial()',
  ),
  addresses(
    'an address can be moved to an organization outside the scope',
    '    ...z.object(required).partial().shape,',
    '    ...z.object({ ...required, organizationId: Uuid }).partial().shape,',
  ),
  people(
    "a user can take over another one's identity",
    'const UserUpdate = z\n  .object(\n    describeLike(User, {',
    'const UserUpdate = z\n  .object(\n    describeLike(User, {\n      idIdentity: z.string(),',
  ),
  documents(
    'a filter of documents by an organization is not looked at',
    '    await assertInScope(caller, scoped, input.organizationId);\n',
    '',
  ),
];
