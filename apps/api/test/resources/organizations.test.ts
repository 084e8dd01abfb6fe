import { campinas, curitiba, newOrganization, organizationOptions, praca } from '@profile-service/contracts/examples';
import { describe, expect, test } from 'vitest';
import { type Actor } from '../support/api.ts';
import { useTenant } from '../support/use-people.ts';
import { restrict, useWorldWithMap } from '../support/organizations.ts';
import { raceAgainst } from '../support/race.ts';
import type { Organization, OrganizationAddressPage, OrganizationContactPage } from '../support/records.ts';

/** Creation. crud.test.ts tests what all resources have in common. */
const world = useWorldWithMap();
const tenant = useTenant(world);

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
    expect(status).toBe(201);
    const generated = { id: expect.any(String), organizationAddressId: expect.any(String) };
    const stamps = { createdAt: expect.stringMatching(timestamp), updatedAt: body.createdAt, deletedAt: null };
    expect(body).toEqual({ ...fields, ...generated, ...stamps });

    const period = { validFrom: expect.stringMatching(timestamp), validTo: null };
    expect(await addressesOf(body.id)).toEqual([{ ...address, ...period, id: body.organizationAddressId, organizationId: body.id }]);
    const made = { id: expect.any(String), organizationId: body.id, createdAt: body.createdAt, updatedAt: body.createdAt };
    const stored = contacts.map((contact) => ({ description: null, isPrimary: false, ...contact, ...made }));
    expect((await contactsOf(body.id)).toReversed()).toEqual(stored);
  });

  // Rules: ORGANIZATIONS-3
  test('accepts at most one primary contact', async () => {
    const contact = { type: 'PHONE', value: '1', isPrimary: true };
    const { status, body } = await create({ contacts: [contact, { ...contact, isPrimary: false }, contact] });
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: 'VALIDATION_FAILED', errors: [{ path: 'contacts' }] });
    expect((await create({ contacts: [contact, { ...contact, isPrimary: false }] })).status).toBe(201);
  });

  // Rules: ORGANIZATIONS-1, ORGANIZATIONS-6
  test.each([
    ['INVALID_STATE', { ...praca, stateCode: 99 }],
    ['INVALID_STATE', { ...praca, stateCode: 99, cityCode: 1 }],
    ['INVALID_CITY', { ...praca, cityCode: 1 }],
    ['CITY_STATE_MISMATCH', { ...praca, stateCode: curitiba.stateCode }],
    ['CITY_STATE_MISMATCH', { ...praca, ...campinas, stateCode: 11 }],
  ])('answers 400 %s and creates nothing', async (code, address) => {
    const before = await counts();
    expect(await create({ address, contacts: [{ type: 'PHONE', value: '1' }] })).toMatchObject({ status: 400, code });
    expect(await counts()).toEqual(before);
  });
});

describe('a new organization', () => {
  const create = async (actor: Actor, target = 'POST /api/organizations') => {
    const { status, body } = await world.call<Organization>(actor, target, newOrganization(world));
    expect(status).toBe(201);
    return body;
  };
  const tenantsOf = async ({ id }: Organization) =>
    (await world.sql<{ id: string }>('select tenant_id as id from organization_tenants where organization_id = $1', [id])).map(
      (row) => row.id,
    );
  const grantsOf = async ({ id }: { id: string }) =>
    (await world.sql<{ id: string }>('select organization_id as id from membership_organizations where user_id = $1', [id])).map(
      (row) => row.id,
    );
  const sees = async (actor: Actor, { id }: Organization) => (await world.call(actor, `GET /api/organizations/${id}`)).status === 200;

  // Rules: SCOPE-7
  test('is linked to the active tenant of a member, without grants', async () => {
    const admin = await world.person({ [tenant.id]: 'tenant-admin' });
    const made = await create(admin);
    expect([await tenantsOf(made), await sees(admin, made), await grantsOf(admin)]).toEqual([[tenant.id], true, []]);
  });

  // Rules: SCOPE-7, SCOPE-9
  test('is linked to the tenant of an application', async () => {
    expect(await tenantsOf(await create(tenant.service, 'POST /service/organizations'))).toEqual([tenant.id]);
  });

  // Rules: SCOPE-8
  test('is granted to a RESTRICTED member who creates it', async () => {
    const person = await world.person({ [tenant.id]: 'coordinator' }, { roles: ['organizations:create'] });
    const { id: had } = await create(tenant.service, 'POST /service/organizations');
    await restrict(world, person.id, tenant.id, [had]);
    const made = await create(person);
    expect(await sees(person, made)).toBe(true);
    expect((await grantsOf(person)).toSorted()).toEqual([had, made.id].toSorted());
  });

  test('is not granted to its creator if their scope is set to ALL at the same time', async () => {
    const person = await world.person({ [tenant.id]: 'coordinator' }, { roles: ['organizations:create'] });
    await restrict(world, person.id, tenant.id, []);
    expect((await world.call(person, 'GET /api/organizations')).status).toBe(200);
    const made = await raceAgainst(world, ["update memberships set scope = 'ALL' where user_id = $1", [person.id]], () => create(person));
    expect([await tenantsOf(made), await grantsOf(person)]).toEqual([[tenant.id], []]);
  });

  test('is not created if the tenant is deleted at the same time', async () => {
    const gone = await world.tenant();
    const admin = { ...(await world.person({ [gone.id]: 'tenant-admin' })), tenant: gone.id };
    const before = await world.sql('select count(*) from organizations');
    const request = () => world.call(admin, 'POST /api/organizations', newOrganization(world));
    const refused = await raceAgainst(world, ['delete from tenants where id = $1', [gone.id]], request);
    expect(refused).toMatchObject({ status: 403, code: 'TENANT_NOT_ALLOWED' });
    expect(await world.sql('select count(*) from organizations')).toEqual(before);
  });
});
