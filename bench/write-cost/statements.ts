import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { organizationName } from '../data/names.ts';

export interface Records {
  tenants: string[];
  user: string;
  organization: string;
  users: string[];
}

/** Creates the records that the measured writes refer to. */
export async function prepareRecords(client: pg.Client): Promise<Records> {
  const [customer, app, organization] = [randomUUID(), randomUUID(), randomUUID()];
  const [tenants, users] = [Array.from({ length: 20 }, () => randomUUID()), Array.from({ length: 500 }, () => randomUUID())];
  await client.query('insert into customers (id, federal_tax_id, name) values ($1, $2, $3)', [customer, '00000000000001', 'Customer']);
  await client.query('insert into apps (id, name) values ($1, $2)', [app, 'App']);
  await client.query(
    `insert into tenants (id, customer_id, app_id, name, identity_client_id) select id, $2, $3, 'Tenant', id::text from unnest($1::uuid[]) id`,
    [tenants, customer, app],
  );
  await client.query(
    `insert into users (id, id_identity, name, email, federal_tax_id, type)
     select id, id::text, 'Ana Souza', id || '@example.com', lpad(place::text, 11, '0'), 'Technician' from unnest($1::uuid[]) with ordinality u (id, place)`,
    [users],
  );
  await client.query(`insert into organizations (id, name, federal_tax_id) values ($1, 'Cooperativa', '00000000000002')`, [organization]);
  await client.query('insert into organization_tenants (tenant_id, organization_id) values ($1, $2)', [tenants[0], organization]);
  return { tenants, users, organization, user: users[0] ?? '' };
}

const createOrganization = {
  name: 'create_organization',
  text: `with address as (insert into organization_addresses (id, organization_id, zip_code, street, number, district, city_code, state_code, country)
      values ($3, $2, '01001000', 'Praça da Sé', '1', 'Sé', 3550308, 35, 'Brasil')),
    contact as (insert into organization_contacts (id, organization_id, type, value, is_primary) values ($4, $2, 'EMAIL', 'contato@example.com', true)),
    link as (insert into organization_tenants (organization_id, tenant_id) values ($2, $1))
    insert into organizations (id, organization_address_id, name, alias, federal_tax_id) values ($2, $3, $5, 'Vale Verde', $6) returning *`,
};
const createContact = {
  name: 'create_contact',
  text: `insert into organization_contacts (id, organization_id, type, value, description) values ($1, $2, 'EMAIL', 'compras@example.com', 'Compras') returning *`,
};
const addMember = {
  name: 'add_member',
  text: `insert into memberships (user_id, tenant_id, persona) values ($1, $2, 'technician') returning *`,
};
const removeMembers = { name: 'remove_members', text: 'truncate memberships cascade' };
const changeOrganization = { name: 'change_organization', text: 'update organizations set alias = $2 where id = $1 returning *' };
const record = { name: 'record', text: 'select record_write($1, $2, $3, $4, $5, $6, $7)' };

type Write = (n: number, isRecorded: boolean) => Promise<unknown>;

/** The kinds of writes: each runs in a transaction, as the service runs it. */
export function writeKinds(client: pg.Client, { tenants, users, user, organization }: Records): Record<string, Write> {
  const [tenant = ''] = tenants;
  const write =
    (operation: string, event: string, statement: (n: number) => pg.QueryConfig): Write =>
    async (n, isRecorded) => {
      await client.query({ name: 'begin', text: 'begin' });
      await client.query(statement(n));
      if (isRecorded) await client.query({ ...record, values: [operation, 'USER', user, randomUUID(), tenant, [event], null] });
      await client.query({ name: 'commit', text: 'commit' });
    };
  let members = 0;
  return {
    'create an organization': write('organizations.create', 'organization.created', (n) => ({
      ...createOrganization,
      values: [tenant, randomUUID(), randomUUID(), randomUUID(), organizationName(n), `9${String(n).padStart(13, '0')}`],
    })),
    'create a contact': write('organizationContacts.create', 'organizationContact.created', () => ({
      ...createContact,
      values: [randomUUID(), organization],
    })),
    async 'add a member'(n, isRecorded) {
      if (members >= users.length * tenants.length) {
        members = 0;
        await client.query(removeMembers);
      }
      const member = members;
      members += 1;
      const values = [users[member % users.length], tenants[Math.floor(member / users.length)]];
      await write('memberships.assign', 'membership.created', () => ({ ...addMember, values }))(n, isRecorded);
    },
    'change an organization': write('organizations.update', 'organization.updated', (n) => ({
      ...changeOrganization,
      values: [organization, `Alias ${n}`],
    })),
  };
}
