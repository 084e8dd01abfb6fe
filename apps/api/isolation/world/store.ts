import { recordOf, recordTypes } from '@profile-service/contracts';
import type { Model } from '../../test/oracle/model.ts';
import type { Sql } from '../../test/support/test-world.ts';

/** The name of a table or column. */
export const snake = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const tables = [...new Set(recordTypes.map((type) => snake(recordOf(type).table))), 'membership_organizations'].join(', ');

/** Empties the database and writes the model into it. */
export async function store(sql: Sql, model: Model): Promise<void> {
  const deletedAt = new Date().toISOString();
  const withDeleted = (live: Map<string, object>, deleted: Map<string, object>): object[] => [
    ...[...live.values()].map((record) => ({ ...record, deletedAt: null })),
    ...[...deleted.values()].map((record) => ({ ...record, deletedAt })),
  ];
  const memberships = [...model.memberships.values()];
  const grants = memberships.flatMap(({ userId, tenantId, grants: ids }) =>
    [...ids].map((organizationId) => ({ userId, tenantId, organizationId })),
  );

  await sql(`truncate ${tables}`);
  await insert(sql, 'customers', model.customers.values());
  await insert(sql, 'apps', model.apps.values());
  await insert(sql, 'tenants', model.tenants.values());
  await insert(sql, 'users', withDeleted(model.users, model.deletedUsers));
  await insert(sql, 'document_types', model.documentTypes.values());
  await insert(sql, 'states', model.states.values());
  await insert(sql, 'cities', model.cities.values());
  // Organizations and addresses reference each other.
  const organizations = withDeleted(model.organizations, model.deletedOrganizations);
  await insert(sql, 'organizations', organizations, 'organizationAddressId');
  await insert(sql, 'organization_addresses', model.organizationAddresses.values());
  await sql(
    'update organizations set organization_address_id = address.id from organization_addresses address where address.organization_id = organizations.id',
  );
  await insert(sql, 'organization_contacts', model.organizationContacts.values());
  const links = [...model.links].map((link) => link.split(' '));
  await insert(
    sql,
    'organization_tenants',
    links.map(([organizationId, tenantId]) => ({ organizationId, tenantId })),
  );
  await insert(sql, 'memberships', memberships, 'grants');
  await insert(sql, 'membership_organizations', grants);
}

/** Inserts records with the same fields, without one of them. Columns without a field get their default. */
async function insert(sql: Sql, table: string, records: Iterable<object>, except = ''): Promise<void> {
  const rows = [...records].map((record) =>
    Object.fromEntries(Object.entries(record).flatMap(([name, value]) => (name === except ? [] : [[snake(name), value as unknown]]))),
  );
  if (!rows[0]) return;
  const columns = Object.keys(rows[0]).join(', ');
  await sql(`insert into ${table} (${columns}) select ${columns} from jsonb_populate_recordset(null::${table}, $1::jsonb)`, [
    JSON.stringify(rows),
  ]);
}
