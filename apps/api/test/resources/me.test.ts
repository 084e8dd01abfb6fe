import { absentId } from '@profile-service/contracts/examples';
import { describe, expect, test } from 'vitest';
import type { Actor } from '../support/api.ts';
import { useTenant } from '../support/use-people.ts';
import { linkedOrganization, restrict } from '../support/organizations.ts';
import type { MembershipList, Permissions } from '../support/records.ts';
import { rpt } from '../support/rpt.ts';
import { useWorld, type World } from '../support/world.ts';

const world = useWorld();
const [one, two] = [useTenant(world), useTenant(world)];

// Rules: ME-1, TENANT-9
test('GET /api/me/tenants succeeds without tenant or persona, and with an X-Tenant-Id that other endpoints reject', async () => {
  const list = (actor: Actor) => world.call<MembershipList>(actor, 'GET /api/me/tenants');
  expect(await list(await world.person())).toMatchObject({ status: 200, body: { data: [] } });
  const person = await world.person({ [one.id]: 'viewer' });
  for (const tenant of [two.id, absentId, 'no-uuid', one.id])
    expect((await list({ ...person, tenant })).body.data.map(({ id }) => id)).toEqual([one.id]);
});

describe('GET /api/me/permissions', () => {
  const get = async (actor: Actor) => (await world.call<Permissions>(actor, 'GET /api/me/permissions')).body;
  const scopesOf = ({ permissions }: Permissions, resource: string) =>
    permissions.find((permission) => permission.resource === `resource:${resource}`)?.scopes.toSorted();

  // Rules: ME-3, ME-4
  test('returns the caller and the permissions of the persona in the active tenant, or all permissions of a Global user', async () => {
    const person = await world.person({ [one.id]: 'viewer' });
    const { permissions, ...rest } = await get(person);
    const caller = { userId: person.id, name: expect.any(String), email: person.email, type: 'Technician', isSuperAdmin: false };
    const inTenant = { tenantId: one.id, persona: 'viewer', organizationScope: 'TENANT', allowedOrganizationIds: null };
    expect(rest).toEqual({ ...caller, ...inTenant });
    expect(permissions).toContainEqual({ resource: 'resource:tenants_id', scopes: ['read'] });
    const resources = permissions.map(({ resource }) => resource);
    expect(resources).not.toContain('resource:cooperatives');
    expect(new Set(resources).size).toBe(resources.length);
    const all = await get(world.global);
    expect(all).toMatchObject({ tenantId: null, persona: null, organizationScope: 'ALL', allowedOrganizationIds: null });
    expect([scopesOf(all, 'users'), scopesOf(all, 'apps_id')]).toEqual([
      ['create', 'read'],
      ['delete', 'read', 'update'],
    ]);
  });

  // Rules: ME-5
  test('returns the ids of granted organizations that are not deleted for a RESTRICTED member, also an empty list', async () => {
    const person = await world.person({ [one.id]: 'coordinator' });
    await restrict(world, person.id, one.id, []);
    expect(await get(person)).toMatchObject({ organizationScope: 'RESTRICTED', allowedOrganizationIds: [] });
    const [granted, gone] = [await linkedOrganization(world, one.id), await linkedOrganization(world, one.id)];
    // The service caches the scope, not the grants.
    await restrict(world, person.id, one.id, [granted, gone]);
    await world.sql('update organizations set deleted_at = now() where id = $1', [gone]);
    expect(await get(person)).toMatchObject({ organizationScope: 'RESTRICTED', allowedOrganizationIds: [granted] });
  });

  // Rules: ME-6, TENANT-9
  test('returns no permissions without an active tenant, also for a super_admin, and with a rejected header, also for a Global user', async () => {
    const nothing = { tenantId: null, persona: null, permissions: [], organizationScope: 'NONE', allowedOrganizationIds: [] };
    const person = await world.person({ [one.id]: 'viewer' });
    const admin = await world.person({}, { roles: ['super_admin', 'apps:read'] });
    const actors: Actor[] = [admin, { ...person, tenant: two.id }, { ...world.global, tenant: two.id }];
    for (const actor of actors) expect(await get(actor)).toMatchObject(nothing);
    await world.sql('update memberships set persona = null where user_id = $1', [person.id]);
    expect(await get(person)).toMatchObject(nothing);
  });

  // Rules: AUTH-9, AUTH-10, ME-4
  test('includes exception roles, RPT permissions and super_admin of the token, for reserved modules only roles', async () => {
    const as = async (token: Parameters<World['person']>[1]) => get(await world.person({ [one.id]: 'viewer' }, token));
    const roles = await as({ roles: ['users:read', 'apps:delete'] });
    expect(['users', 'users_id', 'apps_id'].map((resource) => scopesOf(roles, resource))).toEqual([['read'], ['read'], ['delete']]);
    expect(scopesOf(await as({ claims: rpt('resource:apps', ['create']) }), 'apps')).toEqual(['create']);
    expect(scopesOf(await as({ claims: rpt('resource:users', ['create']) }), 'users')).toBeUndefined();
    const admin = await as({ roles: ['super_admin'] });
    expect([admin.isSuperAdmin, scopesOf(admin, 'customers')]).toEqual([true, undefined]);
    expect(scopesOf(admin, 'apps_id')).toEqual(['delete', 'read', 'update']);
  });
});

// Rules: COOPERATIVES-1, COOPERATIVES-2
test('both endpoints of cooperatives return the calling user or tenant, and one short string', async () => {
  const admin = await world.person({ [one.id]: 'tenant-admin' });
  const data = [expect.any(String)];
  expect(await world.call(admin, 'GET /api/cooperatives')).toMatchObject({ status: 200, body: { caller: admin.id, data } });
  expect(await world.call(one.service, 'GET /service/cooperatives')).toMatchObject({ status: 200, body: { caller: one.id, data } });
});
