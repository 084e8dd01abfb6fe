import { newOrganization, organizationOptions, praca } from '@profile-service/contracts/examples';
import { describe, expect, test } from 'vitest';
import { type Actor } from '../support/api.ts';
import { linkTo, organizationOf, restrict, useWorldWithMap } from '../support/organizations.ts';
import { raceAgainst } from '../support/race.ts';
import type { Organization, OrganizationAddressPage, OrganizationContactPage, OrganizationScope } from '../support/records.ts';
import { useMember, useTenant } from '../support/use-people.ts';

/** Creation and deletion. crud.test.ts tests what all resources have in common, service-organizations.test.ts the links to tenants. */
const world = useWorldWithMap();
const tenant = useTenant(world);
const admin = useMember(world, tenant, 'tenant-admin');

const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const tables = ['organizations', 'organization_addresses', 'organization_contacts', 'organization_tenants', 'membership_organizations'];
const counts = () => world.sql(`select ${tables.map((table) => `(select count(*) from ${table}) as ${table}`).join(', ')}`);
const addressesOf = async (id: string) =>
  (await world.call<OrganizationAddressPage>(world.global, `GET /api/organization-addresses?organizationId=${id}`)).body.data;
const contactsOf = async (id: string) =>
  (await world.call<OrganizationContactPage>(world.global, `GET /api/organization-contacts?organizationId=${id}`)).body.data;

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
    expect(await addressesOf(body.id)).toEqual([{ ...address, ...period, id: body.organizationAddressId, organizationId: body.id }]);
    const made = { id: expect.any(String), organizationId: body.id, createdAt: body.createdAt, updatedAt: body.createdAt };
    const stored = contacts.map((contact) => ({ description: null, isPrimary: false, ...contact, ...made }));
    expect((await contactsOf(body.id)).toReversed()).toEqual(stored);
  });

  // Rules: ORGANIZATIONS-3
  test('accepts at most one primary contact', async () => {
    const contact = { type: 'PHONE', value: '1', isPrimary: true };
    const { body } = await create({ contacts: [contact, { ...contact, isPrimary: false }, contact] });
    expect(body).toMatchObject({ code: 'VALIDATION_FAILED', errors: [{ path: 'contacts' }] });
    expect((await create({ contacts: [contact, { ...contact, isPrimary: false }] })).status).toBe(201);
  });

  // Rules: ORGANIZATIONS-1
  test('creates nothing in an unknown city', async () => {
    const before = await counts();
    const answer = await create({ address: { ...praca, cityCode: 1 }, contacts: [{ type: 'PHONE', value: '1' }] });
    expect([answer.code, await counts()]).toEqual(['INVALID_CITY', before]);
  });
});

describe('a new organization', () => {
  const create = async (actor: Actor) => (await world.call<Organization>(actor, 'POST /api/organizations', newOrganization(world))).body;
  const ids = async (text: string, { id }: { id: string }) => (await world.sql<{ id: string }>(text, [id])).map((row) => row.id);
  const tenantsOf = (made: Organization) => ids('select tenant_id as id from organization_tenants where organization_id = $1', made);
  const grantsOf = (user: { id: string }) =>
    ids('select organization_id as id from membership_organizations where user_id = $1 order by 1', user);
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
    const { id, federalTaxId } = made;
    const ids = {
      organizations: id,
      'organization-addresses': made.organizationAddressId,
      'organization-contacts': (await contactsOf(id))[0]?.id,
    };
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
    const link = `/service/organizations/${id}/tenants`;
    for (const target of [`POST ${link}`, `DELETE ${link}`, `GET /service/organizations/federal-tax-id/${federalTaxId}`])
      expect((await world.call(own.service, target)).code).toBe('ORGANIZATION_NOT_FOUND');
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
