import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Actor } from '../support/api.ts';
import { newOrganization, startWorldWithMap } from '../support/organizations.ts';
import type { Tenant } from '../support/people.ts';
import { raceAgainst } from '../support/race.ts';
import type { Organization, OrganizationScope } from '../support/records.ts';
import type { World } from '../support/world.ts';

/** Decisions, part 2: a caller with an active tenant sees the organizations that they create. */
let world: World;
let tenant: Tenant;
beforeAll(async () => {
  world = await startWorldWithMap();
  tenant = await world.tenant();
});
afterAll(() => world.stop());

const create = async (actor: Actor, target = 'POST /api/organizations') => {
  const { status, body } = await world.call<Organization>(actor, target, newOrganization(world));
  expect(status).toBe(201);
  return body;
};
const tenantsOf = (id: string) => world.sql('select tenant_id as id from organization_tenants where organization_id = $1', [id]);
const scopeOf = (userId: string) => `/api/users/${userId}/tenants/${tenant.id}/organizations`;
const grantsOf = async (userId: string) =>
  (await world.call<OrganizationScope>(world.global, `GET ${scopeOf(userId)}`)).body.organizationIds;
const sees = async (actor: Actor, id: string) => (await world.call(actor, `GET /api/organizations/${id}`)).status === 200;

describe('a new organization', () => {
  // Rules: SCOPE-7
  test('is linked to the active tenant of a member, without grants', async () => {
    const admin = await world.person({ [tenant.id]: 'tenant-admin' });
    const { id } = await create(admin);
    expect(await tenantsOf(id)).toEqual([{ id: tenant.id }]);
    expect(await sees(admin, id)).toBe(true);
    expect(await grantsOf(admin.id)).toEqual([]);
  });

  // Rules: SCOPE-7, SCOPE-9
  test('is linked to the tenant of an application', async () => {
    const { id } = await create(tenant.service, 'POST /service/organizations');
    expect(await tenantsOf(id)).toEqual([{ id: tenant.id }]);
  });

  test('is linked to the tenant that a Global user names, or to none', async () => {
    const person = await world.person({ [tenant.id]: 'viewer' }, { type: 'Global' });
    expect(await tenantsOf((await create({ ...person, tenant: tenant.id })).id)).toEqual([{ id: tenant.id }]);
    expect(await tenantsOf((await create(person)).id)).toEqual([]);
  });

  test('is linked to the tenant that a member of two tenants names', async () => {
    const other = await world.tenant();
    const person = await world.person({ [tenant.id]: 'tenant-admin', [other.id]: 'tenant-admin' });
    expect(await tenantsOf((await create({ ...person, tenant: other.id })).id)).toEqual([{ id: other.id }]);
  });

  // Rules: SCOPE-8
  test('is granted to a RESTRICTED member who creates it', async () => {
    const person = await world.person({ [tenant.id]: 'coordinator' }, { roles: ['organizations:create'] });
    const { id: had } = await create(tenant.service, 'POST /service/organizations');
    await world.call(world.global, `PUT ${scopeOf(person.id)}`, { scope: 'RESTRICTED', organizationIds: [had] });
    const { id } = await create(person);
    expect(await sees(person, id)).toBe(true);
    expect(await grantsOf(person.id)).toEqual([had, id].toSorted());
  });

  test('is granted to a tenant-admin whose membership is RESTRICTED, so that it stays visible after a change of persona', async () => {
    const person = await world.person({ [tenant.id]: 'tenant-admin' });
    await world.call(world.global, `PUT ${scopeOf(person.id)}`, { scope: 'RESTRICTED', organizationIds: [] });
    const { id } = await create(person);
    await world.call(world.global, `POST /api/users/${person.id}/tenants`, { tenantId: tenant.id, persona: 'viewer' });
    expect(await sees(person, id)).toBe(true);
  });

  test('is not granted to its creator if their scope is set to ALL at the same time', async () => {
    const person = await world.person({ [tenant.id]: 'coordinator' }, { roles: ['organizations:create'] });
    await world.call(world.global, `PUT ${scopeOf(person.id)}`, { scope: 'RESTRICTED', organizationIds: [] });
    expect((await world.call(person, 'GET /api/organizations')).status).toBe(200);
    const { id } = await raceAgainst(world, ["update memberships set scope = 'ALL' where user_id = $1", [person.id]], () => create(person));
    expect(await tenantsOf(id)).toEqual([{ id: tenant.id }]);
    expect(await grantsOf(person.id)).toEqual([]);
  });

  test('is not created if the tenant is deleted at the same time', async () => {
    const gone = await world.tenant();
    const admin = await world.person({ [gone.id]: 'tenant-admin' });
    const deletion: [string, unknown[]] = ['delete from tenants where id = $1', [gone.id]];
    const before = await world.sql('select count(*) from organizations');
    const body = newOrganization(world);
    const refused = await raceAgainst(world, deletion, () => world.call({ ...admin, tenant: gone.id }, 'POST /api/organizations', body));
    expect(refused).toMatchObject({ status: 403, code: 'TENANT_NOT_ALLOWED' });
    expect(await world.sql('select count(*) from organizations')).toEqual(before);
  });
});
