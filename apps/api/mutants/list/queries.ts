import { dropCondition, remove, removeCall, removeThrow, replace, replaceSql } from '../changes.ts';
import { mutant, type Mutant } from '../mutant.ts';

const crud = 'apps/api/test/resources/crud.test.ts';

/** Queries of single tables, totals, and cascades. */
export const queries: readonly Mutant[] = [
  mutant(
    'A total counts records outside the scope',
    replace('page/statementsOf.count', '_query.clearSelect()', '(_query).clearWhere().clearSelect()'),
  ),
  mutant(
    'A member regains a grant when its organization is linked again',
    replaceSql(
      'membership_organizations',
      `, constraint membership_organizations_link_fkey foreign key (organization_id, tenant_id)
        references organization_tenants (organization_id, tenant_id) on delete cascade`,
      '',
    ),
  ),
  mutant(
    'A grant stays after its membership ends',
    replaceSql(
      'membership_organizations',
      'constraint membership_organizations_membership_fkey foreign key (user_id, tenant_id) references memberships on delete cascade,',
      '',
    ),
  ),
  mutant(
    'A tenant deletes an organization that is linked to other tenants',
    removeThrow('resources/organizations.remove', 'ORGANIZATION_IN_USE'),
  ),
  mutant('A user filters organizations by one outside the scope', removeCall('organizations/listOrganizations', 'assertInScope')),
  mutant('A new organization is linked to no tenant', replace('createOrganization', 'tenantId === null', 'true')),
  mutant(
    'An application finds deleted organizations by tax id',
    [
      dropCondition('lockByFederalTaxId', 'deletedAt'),
      replaceSql('count_inserted_links', 'organization_id and deleted_at is not null', 'organization_id and false'),
    ],
    'apps/api/test/resources/organizations.test.ts',
  ),
  mutant('An application removes the links of every tenant', dropCondition('deleteLink', 'tenantId')),
  mutant(
    'A RESTRICTED member lists every organization of the tenant',
    replace('scopedTables.organizationsOf', 'organizations.innerJoin(..._rest)', 'organizations.clearWhere().innerJoin(..._rest)'),
  ),
  mutant('Deleted users are listed as members of a tenant', dropCondition('memberships/listUsers', 'users.deletedAt')),
  mutant('Members of every tenant are listed as members of one', dropCondition('memberships/listUsers', 'memberships.tenantId')),
  mutant('Removing one membership removes all memberships of the user', dropCondition('deleteMembership', 'tenantId')),
  mutant('Restricting one member restricts every member of the tenant', dropCondition('setScope', 'userId')),
  mutant('A user uploads a file to an organization outside the scope', [
    removeThrow('resources/attachments.create', 'NOT_ALLOWED_ORGANIZATION'),
    removeCall('resources/attachments.create', 'assertAttachable'),
  ]),
  mutant('A user moves a file to an organization outside the scope', remove('resources/attachments.update', 'assertTarget')),
  mutant(
    'A user moves a contact to an organization outside the scope',
    [
      replace('OrganizationContactUpdate', '{ ...fields, ..._rest }', '{ ...fields, ..._rest, organizationId }'),
      replace('patchContact', 'contactColumns', "[...contactColumns, 'organizationId']"),
    ],
    crud,
  ),
  mutant(
    'A user moves an address to an organization outside the scope',
    [
      replace('OrganizationAddressUpdate', 'required', '{ ...required, organizationId: Uuid }'),
      replace('patchAddress', 'addressColumns', "[...addressColumns, 'organizationId']"),
    ],
    crud,
  ),
  mutant("A user takes over another user's identity", replace('UserUpdate', 'name: Name', 'name: Name, idIdentity: z.string()'), crud),
  mutant(
    'An application filters documents by an organization outside the scope',
    removeCall('resources/serviceDocuments.list', 'assertInScope'),
  ),
];
