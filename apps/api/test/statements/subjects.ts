import { randomUUID } from 'node:crypto';
import { recordOf, type RecordType, recordTypes } from '@profile-service/contracts';
import { exampleOf, type LargeRecords } from '@profile-service/contracts/examples';
import type { Fixture } from '../endpoints/fixture.ts';
import { insertRecords, snake } from '../support/insert-records.ts';
import { organizationOf } from '../support/organizations.ts';
import type { Person, Tenant } from '../support/people.ts';

/** Records with many related rows, whose person is a member of all tenants of the customer, and RESTRICTED to the tenant's organizations. */
export interface Subject extends LargeRecords {
  tenant: Tenant;
  person: Person;
}

let serial = 0;

/** Creates the records through the service, and by SQL this number of rows that are related to them, and of rows in each other table. */
export async function createSubject(fixture: Fixture, size: number): Promise<Subject> {
  const { world } = fixture;
  const tenant = await world.tenant();
  const person = await world.person({ [tenant.id]: 'tenant-admin' });
  const { id, organizationAddressId, federalTaxId } = await organizationOf(world, tenant);
  const first = (serial += 10_000);
  await world.sql(rowsSql({ first, last: first + size - 1, tenant, userId: person.id, organizationId: id }));
  for (const type of recordTypes.filter(isPlain)) await insertCopies(fixture, type, first, size);
  const ids = async (text: string, value: string) => (await world.sql<{ id: string }>(text, [value])).map((row) => row.id);
  const contacts = await ids('select id from organization_contacts where organization_id = $1 limit 1', id);
  const attachments = await ids('select id from attachments where entity_id = $1 limit 1', id);
  const organizationIds = await ids('select organization_id as id from organization_tenants where tenant_id = $1', tenant.id);
  const organization = { id, addressId: organizationAddressId ?? '', federalTaxId };
  return { size, tenant, person, organization, contactId: contacts[0] ?? '', attachmentId: attachments[0] ?? '', organizationIds };
}

/** Records that all tenants share, and that belong to no other record. */
const isPlain = (type: RecordType): boolean => recordOf(type).owner === 'shared' && recordOf(type).key[0] === 'id' && type !== 'user';

/** Copies a new record, with other values in its unique fields. */
async function insertCopies(fixture: Fixture, type: RecordType, first: number, size: number): Promise<void> {
  const { table, groups } = recordOf(type);
  const { valid, record } = exampleOf(`${groups[0]}.create`);
  const fields = await valid(fixture);
  const unique = record?.unique?.fields ?? [];
  const copies = Array.from({ length: size }, (_, index) => ({
    ...fields,
    id: randomUUID(),
    ...Object.fromEntries(unique.map((field) => [field, String(first + index)])),
  }));
  await insertRecords(fixture.world.sql, snake(table), copies);
}

interface Rows {
  first: number;
  last: number;
  tenant: Tenant;
  userId: string;
  organizationId: string;
}

/** Statements that insert one row with each number from `first` to `last` into each table. The ids are UUIDs, so they need no quoting. */
const rowsSql = ({ first, last, tenant: { id: tenantId, customerId, appId }, userId, organizationId }: Rows) => `
  create temporary table numbered on commit drop as
    select i, gen_random_uuid() as id from generate_series(${first}, ${last}) i;
  insert into users (id, id_identity, name, email, federal_tax_id, type)
    select id, id, 'Ana', i || '@example.org', lpad(i::text, 11, '9'), 'Technician' from numbered;
  insert into memberships (user_id, tenant_id, persona) select id, '${tenantId}', 'viewer' from numbered;
  insert into tenants (id, customer_id, app_id, name) select id, '${customerId}', '${appId}', 'Harvest' from numbered;
  insert into memberships (user_id, tenant_id, persona) select '${userId}', id, 'viewer' from numbered;
  insert into organizations (id, name, federal_tax_id) select id, 'Vale Verde', 'N' || i from numbered;
  insert into organization_tenants (tenant_id, organization_id) select '${tenantId}', id from numbered;
  insert into organization_tenants (tenant_id, organization_id) select id, '${organizationId}' from numbered;
  update memberships set scope = 'RESTRICTED' where user_id = '${userId}' and tenant_id = '${tenantId}';
  insert into membership_organizations (user_id, tenant_id, organization_id) select '${userId}', '${tenantId}', id from numbered;
  insert into organization_addresses (id, organization_id, zip_code, street, number, city_code, state_code, valid_from, valid_to)
    select id, '${organizationId}', '01001000', 'Sé', '1', 3550308, 35, '1990-01-01'::timestamptz + i * interval '1 hour',
      '1990-01-01'::timestamptz + (i + 1) * interval '1 hour' from numbered;
  insert into organization_contacts (id, organization_id, type, value) select id, '${organizationId}', 'PHONE', i from numbered;
  insert into attachments (id, content_type, entity_id, file_path, original_filename, size, tenant_id, user_id)
    select id, 'application/pdf', '${organizationId}', 'files/' || id, 'a.pdf', 1, '${tenantId}', '${userId}' from numbered;
  insert into webhooks (id, tenant_id, url, types, secret)
    select id, '${tenantId}', 'https://hooks.example.com/', '{*}', '' from numbered;
  insert into states (state_code, uf, name, region, latitude, longitude) select i, chr(i), 'Sul ' || i, 'Sul', 0, 0 from numbered;
  insert into cities (ibge_code, name, state_code, siafi_id, ddd, time_zone, capital, latitude, longitude)
    select i, 'Nova ' || i, 35, 'x' || lpad(to_hex(i % 4096), 3, '0'), 11, 'UTC', false, 0, 0 from numbered;`;
