import type { Persona, UserType } from '@profile-service/contracts';
import { absentId } from '@profile-service/contracts/examples';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Actor } from '../support/api.ts';
import { linkTo, linkedOrganization, organizationOf, restrict, useWorldWithMap } from '../support/organizations.ts';
import type { Person, Tenant } from '../support/people.ts';
import { raceAgainst } from '../support/race.ts';
import type { MembershipList, OrganizationPage, OrganizationScope, Permissions } from '../support/records.ts';
import { rpt } from '../support/rpt.ts';
import { useOrganization, useTenant } from '../support/use-people.ts';

/** Which tenants and organizations a caller sees, memberships and their organization scopes, and the deletion of a tenant. */
const world = useWorldWithMap();
const tenant = useTenant(world);

const call = <Body = Record<string, unknown>>(target: string, body?: unknown) => world.call<Body>(world.global, target, body);
const list = (userId: string) => call<MembershipList>(`GET /api/users/${userId}/tenants`);
const assign = (userId: string, body: unknown) => call(`POST /api/users/${userId}/tenants`, body);
const end = (userId: string, tenantId: string) => call(`DELETE /api/users/${userId}/tenants/${tenantId}`);
const permissionsOf = async (person: Person) => (await world.call<Permissions>(person, 'GET /api/me/permissions')).body;
const forgetPersona = (tenantId: string) => world.sql('update memberships set persona = null where tenant_id = $1', [tenantId]);

describe('the list', () => {
  // Rules: ME-2, MEMBERS-2, MEMBERS-4
  test('of the tenants of a user has the newest first, for Global users also inactive ones and one without persona', async () => {
    const [one, off, old, two] = [await world.tenant(), await world.tenant({ active: false }), await world.tenant(), await world.tenant()];
    const person = await world.person({ [one.id]: 'viewer', [off.id]: 'tenant-admin', [old.id]: 'viewer', [two.id]: 'tenant-admin' });
    await forgetPersona(old.id);
    const item = ({ clientId: name, service: _, ...each }: Tenant, more: object) => ({ ...each, name, active: true, ...more });
    const [last, first] = [item(two, { persona: 'tenant-admin' }), item(one, { persona: 'viewer' })];
    const hidden = [item(old, { persona: null }), item(off, { persona: 'tenant-admin', active: false })];
    expect((await list(person.id)).body).toEqual({ data: [last, ...hidden, first] });
    expect((await world.call(person, 'GET /api/me/tenants')).body).toEqual({ data: [last, first] });
  });

  // Rules: MEMBERS-11
  test('of the users of a tenant has their personas, newest first, without deleted users', async () => {
    const [own, other] = [await world.tenant({ active: false }), await world.tenant()];
    const first = await world.person({ [own.id]: 'viewer', [other.id]: 'tenant-admin' }, { type: 'Admin' });
    const [old, gone] = [await world.person({ [own.id]: 'viewer' }), await world.person({ [own.id]: 'viewer' })];
    await forgetPersona(own.id);
    await assign(first.id, { tenantId: own.id, persona: 'viewer' });
    await call(`PUT /api/users/${first.id}`, { name: 'Ana', jobTitle: 'Field' });
    await call(`DELETE /api/users/${gone.id}`);
    expect((await call(`GET /api/tenants/${own.id}/users`)).body).toEqual({
      data: [
        { id: old.id, name: expect.any(String), email: old.email, type: 'Technician', jobTitle: null, persona: null },
        { id: first.id, name: 'Ana', email: first.email, type: 'Admin', jobTitle: 'Field', persona: 'viewer' },
      ],
    });
  });
});

// Rules: MEMBERS-1, MEMBERS-6, MEMBERS-7
test('POST adds a membership, or updates the persona of an existing one, and keeps its organization scope', async () => {
  const [own, person] = [await world.tenant(), await world.person()];
  for (const persona of ['tenant-admin', 'technician', 'viewer', 'coordinator']) {
    const body = { userId: person.id, tenantId: own.id };
    expect(await assign(person.id, { tenantId: own.id, persona })).toMatchObject({ status: 201, body });
    expect((await list(person.id)).body.data).toMatchObject([{ id: own.id, persona }]);
  }
  await restrict(world, person.id, own.id, [await linkedOrganization(world, own.id)]);
  await forgetPersona(own.id);
  await assign(person.id, { tenantId: own.id, persona: 'coordinator' });
  expect(await permissionsOf(person)).toMatchObject({ persona: 'coordinator', organizationScope: 'RESTRICTED' });
});

// Rules: MEMBERS-9, MEMBERS-10, MEMBERSCOPES-2
test('DELETE ends the membership with its scope and grants, and succeeds again', async () => {
  const [own, kept] = [await world.tenant(), await world.tenant()];
  const person = await world.person({ [own.id]: 'viewer', [kept.id]: 'viewer' });
  await restrict(world, person.id, own.id, [await linkedOrganization(world, own.id)]);
  for (const tenantId of [own.id, own.id, absentId]) expect((await end(person.id, tenantId)).status).toBe(204);
  expect((await list(person.id)).body.data.map(({ id }) => id)).toEqual([kept.id]);
  await end(person.id, kept.id);
  await assign(person.id, { tenantId: own.id, persona: 'viewer' });
  expect(await permissionsOf(person)).toMatchObject({ tenantId: own.id, organizationScope: 'TENANT', allowedOrganizationIds: null });
  expect(await world.sql('select 1 from membership_organizations where user_id = $1', [person.id])).toEqual([]);
});

describe('the organization scope', () => {
  /** Two organizations of the tenant, in the order of their ids, and one of another tenant. */
  let one: string, two: string, foreign: string;
  beforeAll(async () => {
    [one = '', two = ''] = [(await organizationOf(world, tenant)).id, (await organizationOf(world, tenant)).id];
    foreign = (await organizationOf(world, await world.tenant())).id;
  });

  const path = (userId: string) => `/api/users/${userId}/tenants/${tenant.id}/organizations`;
  const get = async (userId: string) => (await call<OrganizationScope>(`GET ${path(userId)}`)).body;
  const set = (userId: string, body: unknown) => call(`PUT ${path(userId)}`, body);
  const restrictTo = (userId: string, ...organizationIds: string[]) => set(userId, { scope: 'RESTRICTED', organizationIds });
  const restrictedTo = (...organizationIds: string[]) => ({ scope: 'RESTRICTED', organizationIds, effectiveScope: 'RESTRICTED' });
  const seen = async (person: Person) =>
    (await world.call<OrganizationPage>(person, 'GET /api/organizations')).body.data.map(({ id }) => id).toSorted();

  // Rules: MEMBERSCOPES-2, MEMBERSCOPES-3, MEMBERSCOPES-4, SCOPE-6
  test.each<[string, Persona, UserType, unrestricted: string, effective: string]>([
    ['a viewer', 'viewer', 'Technician', 'ALL', 'RESTRICTED'],
    ['a tenant-admin', 'tenant-admin', 'Technician', 'ALL_BY_PERSONA', 'ALL_BY_PERSONA'],
    ['a Global user', 'viewer', 'Global', 'ALL', 'ALL'],
  ])('of %s is shown as saved and as effective', async (_who, persona, type, unrestricted, effectiveScope) => {
    const { id } = await world.person({ [tenant.id]: persona }, { type });
    expect(await get(id)).toEqual({ scope: 'ALL', organizationIds: [], effectiveScope: unrestricted });
    await restrictTo(id, one);
    expect(await get(id)).toEqual({ ...restrictedTo(one), effectiveScope });
  });

  // Rules: MEMBERSCOPES-5, MEMBERSCOPES-7, MEMBERSCOPES-8
  test('is replaced as a whole; RESTRICTED without organizations hides all of them, ALL ignores organizationIds', async () => {
    const person = await world.person({ [tenant.id]: 'viewer' });
    for (const ids of [[one], [two], [one, two], [two], []]) {
      expect(await restrictTo(person.id, ...ids)).toMatchObject({ status: 204, body: undefined });
      expect([await get(person.id), await seen(person)]).toEqual([restrictedTo(...ids), ids]);
    }
    expect((await world.call(person, `GET /api/organizations?organizationId=${one}`)).code).toBe('NOT_ALLOWED_ORGANIZATION');
    await restrictTo(person.id, two, one.toUpperCase(), two, one);
    expect((await get(person.id)).organizationIds).toEqual([one, two]);
    for (const body of [{ scope: 'ALL' }, { scope: 'ALL', organizationIds: [foreign, absentId] }]) {
      expect((await set(person.id, body)).status).toBe(204);
      expect(await get(person.id)).toEqual({ scope: 'ALL', organizationIds: [], effectiveScope: 'ALL' });
      expect(await world.sql('select 1 from membership_organizations where user_id = $1', [person.id])).toEqual([]);
      expect(await seen(person)).toEqual([one, two]);
    }
  });

  // Rules: MEMBERSCOPES-9
  test('does not change if one organization is not linked to the tenant, or unlinked at the same time', async () => {
    const [{ id }, gone] = [await world.person({ [tenant.id]: 'viewer' }), await linkedOrganization(world, tenant.id)];
    await restrictTo(id, two);
    const refused = { status: 400, code: 'ORGANIZATION_NOT_LINKED_TO_TENANT' };
    for (const stranger of [foreign, absentId]) expect(await restrictTo(id, one, stranger)).toMatchObject(refused);
    const late = await raceAgainst(
      world,
      ['select 1 from organization_tenants where organization_id = $1 for update', [gone]],
      () => restrictTo(id, gone, one),
      (rival) => rival.query('delete from organization_tenants where organization_id = $1', [gone]),
    );
    expect(late).toMatchObject(refused);
    expect(await get(id)).toEqual(restrictedTo(two));
  });
});

describe('the tenants that a member reads', () => {
  const [active, other] = [useTenant(world), useTenant(world)];
  const [own, shared] = [useOrganization(world, active), useOrganization(world, active)];
  // Only the other tenant sees it.
  useOrganization(world, other);
  beforeAll(() => linkTo(world, other, shared.id));

  const get = (actor: Actor, id: string) => world.call(actor, `GET /api/tenants/${id}`);
  const listOf = (actor: Actor, id: string) => world.call<{ data: { id: string }[] }>(actor, `GET /api/tenants/${id}/organizations`);
  const idsFor = async (actor: Actor, id: string) => (await listOf(actor, id)).body.data.map((organization) => organization.id);
  const expectHidden = async (actor: Actor, id: string) =>
    expect([(await get(actor, id)).code, (await listOf(actor, id)).code]).toEqual(['TENANT_NOT_FOUND', 'TENANT_NOT_FOUND']);

  // Rules: ACCESS-12, TENANTS-5
  test.each(['tenant-admin', 'coordinator', 'technician', 'viewer'] as const)('are the active one for a %s', async (persona) => {
    const actor = { ...(await world.person({ [active.id]: persona, [other.id]: persona })), tenant: active.id };
    expect((await get(actor, active.id.toUpperCase())).body).toEqual((await get(world.global, active.id)).body);
    expect(await idsFor(actor, active.id)).toEqual([shared.id, own.id]);
    for (const id of [other.id, absentId]) await expectHidden(actor, id);
  });

  // Rules: ACCESS-13
  test.each([
    ['the exception role', { roles: ['tenants:read'] }],
    ['super_admin', { roles: ['super_admin'] }],
    ['an RPT permission', { claims: rpt('resource:tenants_id', ['read']) }],
  ])('are all of them with %s, and their organizations in the own scope', async (_, token) => {
    const person = await world.person({ [active.id]: 'viewer' }, token);
    expect((await get(person, other.id)).status).toBe(200);
    expect(await idsFor(person, other.id)).toEqual([shared.id]);
    await expectHidden(person, absentId);
  });
});

// Rules: TENANTS-7
test('DELETE deletes the tenant with its memberships, scopes and links and frees client, customer and app', async () => {
  const gone = await world.tenant();
  const person = await world.person({ [gone.id]: 'technician' });
  const { id: organizationId } = await organizationOf(world, gone);
  await restrict(world, person.id, gone.id, [organizationId]);
  expect((await world.call(world.global, `DELETE /api/tenants/${gone.id}`)).status).toBe(204);
  expect((await call(`GET /api/tenants/${gone.id}`)).status).toBe(404);
  for (const table of ['memberships', 'membership_organizations', 'organization_tenants'])
    expect(await world.sql(`select 1 from ${table} where tenant_id = $1`, [gone.id])).toEqual([]);
  expect((await world.call(world.global, `GET /api/organizations/${organizationId}`)).status).toBe(200);
  const { customerId, appId } = tenant;
  await world.create('POST /api/tenants', { customerId, appId, name: 'South', identityClientId: gone.clientId });
  for (const path of [`customers/${gone.customerId}`, `apps/${gone.appId}`])
    expect((await world.call(world.global, `DELETE /api/${path}`)).status).toBe(204);
});
