import { createSecret, SecretBox } from '@profile-service/webhooks';
import { recordOf, recordTypes } from '@profile-service/contracts';
import type { Model } from '../../test/oracle/model.ts';
import { insertRecords, snake } from '../../test/support/insert-records.ts';
import { type Sql, webhookKey } from '../../test/support/test-world.ts';

const tables = new Set([...recordTypes.map((type) => snake(recordOf(type).table)), 'membership_organizations', 'webhook_deliveries']);

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

  const secret = `\\x${new SecretBox(webhookKey).encrypt(createSecret()).toString('hex')}`;
  await sql(`truncate ${[...tables].join(', ')} cascade`);
  await insertRecords(sql, 'customers', model.customers.values());
  await insertRecords(sql, 'apps', model.apps.values());
  await insertRecords(sql, 'tenants', model.tenants.values());
  await insertRecords(
    sql,
    'webhooks',
    [...model.webhooks.values()].map((webhook) => ({ ...webhook, secret })),
  );
  await insertRecords(sql, 'users', withDeleted(model.users, model.deletedUsers));
  await insertRecords(sql, 'document_types', model.documentTypes.values());
  await insertRecords(sql, 'states', model.states.values());
  await insertRecords(sql, 'cities', model.cities.values());
  // Organizations and addresses reference each other.
  const organizations = withDeleted(model.organizations, model.deletedOrganizations);
  await insertRecords(sql, 'organizations', organizations, 'organizationAddressId');
  await insertRecords(sql, 'organization_addresses', model.organizationAddresses.values());
  await sql(
    'update organizations set organization_address_id = address.id from organization_addresses address where address.organization_id = organizations.id',
  );
  await insertRecords(sql, 'organization_contacts', model.organizationContacts.values());
  const links = [...model.links].map((link) => link.split(' '));
  await insertRecords(
    sql,
    'organization_tenants',
    links.map(([organizationId, tenantId]) => ({ organizationId, tenantId })),
  );
  await insertRecords(sql, 'memberships', memberships, 'grants');
  await insertRecords(sql, 'membership_organizations', grants);
}
