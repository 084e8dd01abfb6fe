import type { Model } from '../../test/oracle/model.ts';
import type { Sql } from '../../test/support/test-world.ts';

const tables =
  'membership_organizations, organization_tenants, organization_contacts, organizations, organization_addresses, attachments, memberships, users, tenants, apps, customers, document_types, cities, states';

/** Empties the database and writes the model into it. */
export async function store(sql: Sql, model: Model): Promise<void> {
  const deletedAt = new Date().toISOString();
  const users = [...model.users.values()];
  const deletedUsers = [...model.deletedUsers.values()].map((user) => ({ ...user, deletedAt }));
  const organizations = [
    ...model.organizations.values(),
    ...[...model.deletedOrganizations.values()].map((record) => ({ ...record, deletedAt })),
  ];
  const memberships = [...model.memberships.values()];
  const pairs = [...model.links].map((link) => link.split(' '));

  await sql(`truncate ${tables}`);
  await insert(sql, 'customers', [...model.customers.values()]);
  await insert(sql, 'apps', [...model.apps.values()]);
  await insert(sql, 'tenants', [...model.tenants.values()]);
  await insert(sql, 'users', users);
  await insert(sql, 'users', deletedUsers);
  await insert(sql, 'document_types', [...model.documentTypes.values()]);
  await insert(sql, 'states', [...model.states.values()]);
  await insert(sql, 'cities', [...model.cities.values()]);
  // Organizations and addresses reference each other.
  await insert(
    sql,
    'organizations',
    organizations.map(({ organizationAddressId: _, ...record }) => record),
  );
  await insert(sql, 'organization_addresses', [...model.addresses.values()]);
  await sql(
    'update organizations set organization_address_id = address.id from organization_addresses address where address.organization_id = organizations.id',
  );
  await insert(sql, 'organization_contacts', [...model.contacts.values()]);
  const links = pairs.map(([organizationId, tenantId]) => ({ organizationId, tenantId }));
  await insert(sql, 'organization_tenants', links);
  await insert(
    sql,
    'memberships',
    memberships.map(({ grants: _, ...record }) => record),
  );
  const grants = memberships.flatMap((membership) => [...membership.grants].map((organizationId) => ({ ...membership, organizationId })));
  await insert(
    sql,
    'membership_organizations',
    grants.map(({ userId, tenantId, organizationId }) => ({ userId, tenantId, organizationId })),
  );
}

const snake = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Inserts records with the same fields. Columns without a field get their default. */
async function insert(sql: Sql, table: string, records: readonly object[]): Promise<void> {
  const [first] = records;
  if (!first) return;
  const columns = Object.keys(first).map(snake).join(', ');
  const rows = records.map((record) => Object.fromEntries(Object.entries(record).map(([name, value]) => [snake(name), value as unknown])));
  await sql(`insert into ${table} (${columns}) select ${columns} from jsonb_populate_recordset(null::${table}, $1::jsonb)`, [
    JSON.stringify(rows),
  ]);
}
