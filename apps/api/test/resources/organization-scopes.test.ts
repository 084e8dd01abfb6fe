import type { Persona, UserType } from '@profile-service/contracts';
import { absentId } from '@profile-service/contracts/examples';
import { beforeAll, describe, expect, test } from 'vitest';
import { useTenant } from '../support/use-people.ts';
import { linkedOrganization, organizationOf, useWorldWithMap } from '../support/organizations.ts';
import type { Person } from '../support/people.ts';
import { raceAgainst } from '../support/race.ts';
import type { OrganizationPage, OrganizationScope } from '../support/records.ts';

const world = useWorldWithMap();
const tenant = useTenant(world);
/** Two organizations of the tenant, in the order of their ids, and one of another tenant. */
let one: string, two: string, foreign: string;
beforeAll(async () => {
  [one = '', two = ''] = [(await organizationOf(world, tenant)).id, (await organizationOf(world, tenant)).id];
  foreign = (await organizationOf(world, await world.tenant())).id;
});

const path = (userId: string, tenantId = tenant.id) => `/api/users/${userId}/tenants/${tenantId}/organizations`;
const get = (userId: string, tenantId?: string) => world.call<OrganizationScope>(world.global, `GET ${path(userId, tenantId)}`);
const set = (userId: string, body: unknown, tenantId?: string) => world.call(world.global, `PUT ${path(userId, tenantId)}`, body);
const restrictTo = (userId: string, ...organizationIds: string[]) => set(userId, { scope: 'RESTRICTED', organizationIds });
const member = () => world.person({ [tenant.id]: 'viewer' });
const seen = async (person: Person) =>
  (await world.call<OrganizationPage>(person, 'GET /api/organizations')).body.data.map(({ id }) => id).toSorted();

describe('GET /api/users/{userId}/tenants/{tenantId}/organizations', () => {
  // Rules: MEMBERSCOPES-2, MEMBERSCOPES-3, MEMBERSCOPES-4, SCOPE-6
  test.each<[string, Persona, UserType, effective: string]>([
    ['a viewer', 'viewer', 'Technician', 'RESTRICTED'],
    ['a tenant-admin', 'tenant-admin', 'Technician', 'ALL_BY_PERSONA'],
    ['a Global user', 'viewer', 'Global', 'ALL'],
  ])('returns the saved and the effective scope of %s', async (_who, persona, type, effectiveScope) => {
    const { id } = await world.person({ [tenant.id]: persona }, { type });
    const unrestricted = persona === 'tenant-admin' ? 'ALL_BY_PERSONA' : 'ALL';
    expect((await get(id)).body).toEqual({ scope: 'ALL', organizationIds: [], effectiveScope: unrestricted });
    await restrictTo(id, one);
    expect((await get(id)).body).toEqual({ scope: 'RESTRICTED', organizationIds: [one], effectiveScope });
  });
});

describe('PUT /api/users/{userId}/tenants/{tenantId}/organizations', () => {
  // Rules: MEMBERSCOPES-5
  test('replaces all grants with RESTRICTED', async () => {
    const person = await member();
    for (const ids of [[one], [two], [one, two], [two]]) {
      const { status, body } = await restrictTo(person.id, ...ids);
      expect({ status, body }).toEqual({ status: 204, body: undefined });
      expect((await get(person.id)).body).toEqual({ scope: 'RESTRICTED', organizationIds: ids, effectiveScope: 'RESTRICTED' });
      expect(await seen(person)).toEqual(ids);
    }
  });

  test('treats repeated ids, and ids that differ in case, as one', async () => {
    const { id } = await member();
    expect((await restrictTo(id, two, one.toUpperCase(), two, one)).status).toBe(204);
    expect((await get(id)).body.organizationIds).toEqual([one, two]);
  });

  // Rules: MEMBERSCOPES-7
  test('hides all organizations with an empty list', async () => {
    const person = await member();
    expect((await restrictTo(person.id)).status).toBe(204);
    expect((await get(person.id)).body).toEqual({ scope: 'RESTRICTED', organizationIds: [], effectiveScope: 'RESTRICTED' });
    expect((await world.call(person, 'GET /api/organizations')).body).toEqual({ data: [], total: 0, totalPages: 0, currentPage: 1 });
    expect((await world.call(person, `GET /api/organizations/${one}`)).code).toBe('ORGANIZATION_NOT_FOUND');
    expect((await world.call(person, `GET /api/organizations?organizationId=${one}`)).code).toBe('NOT_ALLOWED_ORGANIZATION');
  });

  // Rules: MEMBERSCOPES-8
  test('deletes the grants with ALL and ignores organizationIds', async () => {
    const person = await member();
    await restrictTo(person.id, one);
    for (const body of [{ scope: 'ALL' }, { scope: 'ALL', organizationIds: [foreign, absentId] }]) {
      expect((await set(person.id, body)).status).toBe(204);
      expect((await get(person.id)).body).toEqual({ scope: 'ALL', organizationIds: [], effectiveScope: 'ALL' });
      expect(await world.sql('select 1 from membership_organizations where user_id = $1', [person.id])).toEqual([]);
      expect(await seen(person)).toEqual([one, two]);
    }
  });

  // Rules: MEMBERSCOPES-10
  test('accepts a member of an inactive tenant', async () => {
    const off = await world.tenant({ active: false });
    const [{ id }, organizationId] = [await world.person({ [off.id]: 'viewer' }), await linkedOrganization(world, off.id)];
    expect((await set(id, { scope: 'RESTRICTED', organizationIds: [organizationId] }, off.id)).status).toBe(204);
    expect((await get(id, off.id)).body.organizationIds).toEqual([organizationId]);
  });

  // Rules: MEMBERSCOPES-9
  test('rejects the list with ORGANIZATION_NOT_LINKED_TO_TENANT if one organization is not linked, and changes nothing', async () => {
    const { id } = await member();
    await restrictTo(id, two);
    for (const stranger of [foreign, absentId]) {
      expect(await restrictTo(id, one, stranger)).toMatchObject({ status: 400, code: 'ORGANIZATION_NOT_LINKED_TO_TENANT' });
      expect((await get(id)).body).toEqual({ scope: 'RESTRICTED', organizationIds: [two], effectiveScope: 'RESTRICTED' });
    }
  });

  test('waits for an unlink of an organization to grant and then rejects the list', async () => {
    const gone = await linkedOrganization(world, tenant.id);
    const { id } = await member();
    await restrictTo(id, one);
    const lock = 'select 1 from organization_tenants where organization_id = $1 for update';
    const unlink = 'delete from organization_tenants where organization_id = $1';
    const refused = await raceAgainst(
      world,
      [lock, [gone]],
      () => restrictTo(id, gone, one),
      (rival) => rival.query(unlink, [gone]),
    );
    expect(refused.code).toBe('ORGANIZATION_NOT_LINKED_TO_TENANT');
    expect((await get(id)).body).toEqual({ scope: 'RESTRICTED', organizationIds: [one], effectiveScope: 'RESTRICTED' });
  });
});
