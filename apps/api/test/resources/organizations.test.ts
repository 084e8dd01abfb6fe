import { newOrganization, organizationOptions, praca } from '@profile-service/contracts/examples';
import { describe, expect, test } from 'vitest';
import { type Actor } from '../support/api.ts';
import { linkTo, organizationOf, restrict, useWorldWithMap } from '../support/organizations.ts';
import { raceAgainst } from '../support/race.ts';
import type { Tenant } from '../support/people.ts';
import type { Organization, OrganizationScope } from '../support/records.ts';
import { useMember, useTenant } from '../support/use-people.ts';

/** Creation, deletion and the links to tenants. crud.test.ts tests what all resources have in common. */
const world = useWorldWithMap();
const tenant = useTenant(world);
const admin = useMember(world, tenant, 'tenant-admin');

const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const tables = ['organizations', 'organization_addresses', 'organization_contacts', 'organization_tenants', 'membership_organizations'];
const counts = () => world.sql(`select ${tables.map((table) => `(select count(*) from ${table}) as ${table}`).join(', ')}`);
const read = async (actor: Actor, path: string) => (await world.call<{ data: { id: string }[] }>(actor, `GET ${path}`)).body.data;
const partsOf = (id: string, parts: 'addresses' | 'contacts') => read(world.global, `/api/organization-${parts}?organizationId=${id}`);
const idsFrom = async (text: string, { id }: { id: string }) => (await world.sql<{ id: string }>(text, [id])).map((row) => row.id);
const tenantsOf = (made: Organization) => idsFrom('select tenant_id as id from organization_tenants where organization_id = $1', made);
const link = ({ id }: Organization, by = tenant) => world.call(by.service, `POST /service/organizations/${id}/tenants`);
const find = ({ federalTaxId }: Pick<Organization, 'federalTaxId'>, by = tenant) =>
  world.call<Organization>(by.service, `GET /service/organizations/federal-tax-id/${federalTaxId}`);
const unlink = ({ id }: Organization, by = tenant) => world.call(by.service, `DELETE /service/organizations/${id}/tenants`);
const seen = async (by = tenant) => (await read(by.service, '/service/organizations?limit=100')).map(({ id }) => id);

describe.each([
  ['POST /api/organizations', () => world.global],
  ['POST /service/organizations', () => tenant.service],
])('%s', (target, actor) => {
  const create = (fields: Record<string, unknown> = {}) =>
    world.call<Organization>(actor(), target, { ...newOrganization(world), ...fields });

  // Rules: ORGANIZATIONS-1
  test('creates the organization with its current address and contacts and returns all fields', async () => {
    const fields = { name: 'Cooperativa Amazônia', federalTaxId: world.newTaxId(), ...organizationOptions };
    const address = { ...praca, complement: 'Sala 1', district: 'Sé', country: 'Brazil', latitude: -23.55, longitude: -46.63 };
    const contacts = [
      { type: 'EMAIL', value: 'office@example.com', description: 'Office', isPrimary: true },
      { type: 'URL', value: 'https://example.com', description: null },
      { type: 'PHONE', value: '+55 11 5555-0000' },
    ];
    const { status, body } = await create({ ...fields, address, contacts });
    const ids = { id: expect.any(String), organizationAddressId: expect.any(String) };
    const stamps = { createdAt: expect.stringMatching(timestamp), updatedAt: body.createdAt, deletedAt: null };
    expect({ status, body }).toEqual({ status: 201, body: { ...fields, ...ids, ...stamps } });

    const period = { validFrom: expect.stringMatching(timestamp), validTo: null };
    expect(await partsOf(body.id, 'addresses')).toEqual([
      { ...address, ...period, id: body.organizationAddressId, organizationId: body.id },
    ]);
    const made = { id: expect.any(String), organizationId: body.id, createdAt: body.createdAt, updatedAt: body.createdAt };
    const stored = contacts.map((contact) => ({ description: null, isPrimary: false, ...contact, ...made }));
    expect((await partsOf(body.id, 'contacts')).toReversed()).toEqual(stored);
  });

  // Rules: ORGANIZATIONS-3
  test('accepts at most one primary contact', async () => {
    const contact = { type: 'PHONE', value: '1', isPrimary: true };
    const { body } = await create({ contacts: [contact, { ...contact, isPrimary: false }, contact] });
    expect(body).toMatchObject({ code: 'VALIDATION_FAILED', errors: [{ path: 'contacts' }] });
    expect((await create({ contacts: [contact, { ...contact, isPrimary: false }] })).status).toBe(201);
  });
});

describe('a new organization', () => {
  const create = async (actor: Actor) => (await world.call<Organization>(actor, 'POST /api/organizations', newOrganization(world))).body;
  const grantsOf = (user: { id: string }) =>
    idsFrom('select organization_id as id from membership_organizations where user_id = $1 order by 1', user);
  const sees = async (actor: Actor, { id }: Organization) => (await world.call(actor, `GET /api/organizations/${id}`)).status === 200;

  // Rules: SCOPE-7, SCOPE-9
  test('is linked to the active tenant of a member, without grants, or to the tenant of an application', async () => {
    const made = await create(admin);
    expect([await tenantsOf(made), await sees(admin, made), await grantsOf(admin)]).toEqual([[tenant.id], true, []]);
    expect(await tenantsOf(await organizationOf(world, tenant))).toEqual([tenant.id]);
  });

  // Rules: SCOPE-8
  test('is granted to a RESTRICTED member who creates it, unless their scope is set to ALL at the same time', async () => {
    const person = await world.person({ [tenant.id]: 'coordinator' }, { roles: ['organizations:create'] });
    const { id: had } = await organizationOf(world, tenant);
    await restrict(world, person.id, tenant.id, [had]);
    const made = await create(person);
    const grants = [had, made.id].toSorted();
    expect([await sees(person, made), await grantsOf(person)]).toEqual([true, grants]);
    const late = await raceAgainst(world, ["update memberships set scope = 'ALL' where user_id = $1", [person.id]], () => create(person));
    expect([await tenantsOf(late), await grantsOf(person)]).toEqual([[tenant.id], grants]);
  });

  // Rules: ORGANIZATIONS-1
  test('is not created if the tenant is deleted at the same time', async () => {
    const gone = await world.tenant();
    const creator = { ...(await world.person({ [gone.id]: 'tenant-admin' })), tenant: gone.id };
    const before = await counts();
    const request = () => world.call(creator, 'POST /api/organizations', newOrganization(world));
    const { code } = await raceAgainst(world, ['delete from tenants where id = $1', [gone.id]], request);
    expect([code, await counts()]).toEqual(['TENANT_NOT_ALLOWED', before]);
  });
});

describe('DELETE /api/organizations/{id}', () => {
  const remove = (id: string, actor: Actor = admin) => world.call(actor, `DELETE /api/organizations/${id}`);

  // Rules: LINKS-3, LINKS-4, LINKS-7, ORGANIZATIONS-13, RECORDS-5, SCOPE-13
  test('keeps the row, and hides the organization with its addresses, contacts and links from everybody', async () => {
    const own = await world.tenant();
    const ownAdmin = await world.person({ [own.id]: 'tenant-admin' });
    const made = await organizationOf(world, own, { contacts: [{ type: 'PHONE', value: '1', isPrimary: true }] });
    const { id, organizationAddressId } = made;
    const [contact] = await partsOf(id, 'contacts');
    const ids = { organizations: id, 'organization-addresses': organizationAddressId, 'organization-contacts': contact?.id };
    const member = await world.person({ [own.id]: 'viewer' });
    await restrict(world, member.id, own.id, [id]);

    expect((await remove(id, ownAdmin)).status).toBe(204);
    expect(await world.sql('select 1 from organizations where id = $1 and deleted_at is not null', [id])).toHaveLength(1);
    for (const [actor, refusal] of [
      [ownAdmin, 'NOT_ALLOWED_ORGANIZATION'],
      [world.global, 'ORGANIZATION_NOT_FOUND'],
    ] as const)
      for (const [list, record] of Object.entries(ids)) {
        for (const method of ['GET', 'PUT', 'DELETE'])
          expect((await world.call(actor, `${method} /api/${list}/${record}`, method === 'PUT' ? {} : undefined)).status).toBe(404);
        expect((await world.call(actor, `GET /api/${list}?organizationId=${id}`)).code).toBe(refusal);
        expect(JSON.stringify((await world.call(actor, `GET /api/${list}?limit=100`)).body)).not.toContain(id);
      }
    expect((await world.call(world.global, `GET /api/tenants/${own.id}/organizations`)).body).toEqual({ data: [] });
    const scope = `GET /api/users/${member.id}/tenants/${own.id}/organizations`;
    expect((await world.call<OrganizationScope>(world.global, scope)).body.organizationIds).toEqual([]);
    for (const request of [link, unlink, find]) expect((await request(made, own)).code).toBe('ORGANIZATION_NOT_FOUND');
  });

  // Rules: ORGANIZATIONS-14
  test('answers ORGANIZATION_IN_USE while another tenant is linked, except for a Global user without tenant', async () => {
    const { id } = await organizationOf(world, tenant);
    await linkTo(world, await world.tenant(), id);
    const member = await world.person({ [tenant.id]: 'viewer' }, { type: 'Global' });
    const granted = await world.person({ [tenant.id]: 'viewer' }, { roles: ['organizations:delete'] });
    await restrict(world, granted.id, tenant.id, [id]);
    for (const actor of [admin, { ...member, tenant: tenant.id }, granted]) {
      expect(await remove(id, actor)).toMatchObject({ status: 409, code: 'ORGANIZATION_IN_USE' });
      expect((await world.call(actor, `GET /api/organizations/${id}`)).status).toBe(200);
    }
    expect((await remove(id, member)).status).toBe(204);
  });
});

describe.each([
  ['POST /service/organizations/{organizationId}/tenants', 201, link],
  ['GET /service/organizations/federal-tax-id/{federalTaxId}', 200, find],
])('%s', (_target, success, request) => {
  // Rules: LINKS-2, LINKS-3, LINKS-6, SCOPE-9
  test('links an organization of any tenant once, also if it is called again', async () => {
    const organization = await organizationOf(world, await world.tenant());
    expect(await seen()).not.toContain(organization.id);
    const body = request === find ? organization : { organizationId: organization.id, tenantId: tenant.id };
    for (let time = 0; time < 2; time += 1) {
      expect(await request(organization)).toMatchObject({ status: success, body });
      expect(await tenantsOf(organization)).toHaveLength(2);
    }
    expect(await seen()).toContain(organization.id);
  });

  test('answers CLIENT_NOT_LINKED if the tenant is deleted at the same time', async () => {
    const [organization, gone] = [await organizationOf(world), await world.tenant()];
    const deletion: [string, unknown[]] = ['delete from tenants where id = $1', [gone.id]];
    expect((await raceAgainst(world, deletion, () => request(organization, gone))).code).toBe('CLIENT_NOT_LINKED');
  });
});

// Rules: LINKS-1, ORGANIZATIONS-10
test('a link ignores a tenant in the body, and there is no other endpoint of one organization', async () => {
  const [organization, other] = [await organizationOf(world), await world.tenant()];
  const path = `/service/organizations/${organization.id}`;
  await world.call(tenant.service, `POST ${path}/tenants`, { tenantId: other.id });
  expect(await tenantsOf(organization)).toEqual([tenant.id]);
  for (const method of ['GET', 'PUT', 'DELETE'])
    expect((await world.call(tenant.service, `${method} ${path}`)).code).toBe('ROUTE_NOT_FOUND');
});

// Rules: LINKS-6, ORGANIZATIONS-5
test('a federalTaxId is stored and looked up in upper case', async () => {
  const digits = world.newTaxId().slice(-8);
  const { id, federalTaxId } = await organizationOf(world, undefined, { federalTaxId: `aBcDe${digits}` });
  expect(federalTaxId).toBe(`ABCDE${digits}`);
  for (const wanted of [`abcde${digits}`, federalTaxId])
    expect((await find({ federalTaxId: wanted })).body).toMatchObject({ id, federalTaxId });
  const again = { ...newOrganization(world), federalTaxId: `Abcde${digits}` };
  expect((await world.call(world.global, 'POST /api/organizations', again)).code).toBe('ORGANIZATION_ALREADY_EXISTS');
  const createCustomer = (taxId: string) => world.call(world.global, 'POST /api/customers', { name: 'Central', federalTaxId: taxId });
  expect((await createCustomer(`abcde${digits}`)).body).toMatchObject({ federalTaxId });
  expect((await createCustomer(federalTaxId)).code).toBe('CUSTOMER_ALREADY_EXISTS');
});

// Rules: LINKS-4, LINKS-5, MEMBERSCOPES-11
test('an unlink ends the link and the grants of its own tenant only, and a new link does not restore the grants', async () => {
  const [one, two, other] = [await organizationOf(world, tenant), await organizationOf(world, tenant), await world.tenant()];
  await linkTo(world, other, one.id);
  const person = await world.person({ [tenant.id]: 'viewer', [other.id]: 'viewer' });
  await restrict(world, person.id, tenant.id, [one.id, two.id]);
  await restrict(world, person.id, other.id, [one.id]);
  const grants = async ({ id }: Tenant) =>
    (await world.call<OrganizationScope>(world.global, `GET /api/users/${person.id}/tenants/${id}/organizations`)).body.organizationIds;
  for (let time = 0; time < 2; time += 1) {
    expect(await unlink(one)).toMatchObject({ status: 204, body: undefined });
    expect(await tenantsOf(one)).toEqual([other.id]);
  }
  expect(await seen()).not.toContain(one.id);
  expect(await seen(other)).toContain(one.id);
  expect([await grants(tenant), await grants(other)]).toEqual([[two.id], [one.id]]);
  await link(one);
  expect(await grants(tenant)).toEqual([two.id]);
  const { code } = await world.call({ ...person, tenant: tenant.id }, `GET /api/organizations/${one.id}`);
  expect(code).toBe('ORGANIZATION_NOT_FOUND');
});
