import { absentId } from '@profile-service/contracts/examples';
import { beforeAll, expect, test } from 'vitest';
import type { Actor } from '../support/api.ts';
import { linkTo, organizationOf, restrict, useWorldWithMap } from '../support/organizations.ts';
import type { Tenant } from '../support/records.ts';
import { rpt } from '../support/rpt.ts';
import { useOrganization, useTenant } from '../support/use-people.ts';

/** Which tenants and organizations a caller sees, and deletion. crud.test.ts tests what all resources have in common. */
const world = useWorldWithMap();
const [tenant, other] = [useTenant(world), useTenant(world)];
const own = useOrganization(world, tenant);
const shared = useOrganization(world, tenant);
// Only the other tenant sees it.
useOrganization(world, other);
beforeAll(() => linkTo(world, other, shared.id));

const get = (id: string, actor: Actor = world.global) => world.call<Tenant>(actor, `GET /api/tenants/${id}`);
const listOrganizations = (actor: Actor, tenantId: string) =>
  world.call<{ data: { id: string }[] }>(actor, `GET /api/tenants/${tenantId}/organizations`);
const organizationIds = async (actor: Actor, tenantId: string) => (await listOrganizations(actor, tenantId)).body.data.map(({ id }) => id);

// Rules: ACCESS-12, TENANTS-5
test.each(['tenant-admin', 'coordinator', 'technician', 'viewer'] as const)('a %s reads only the active tenant', async (persona) => {
  const actor = { ...(await world.person({ [tenant.id]: persona, [other.id]: persona })), tenant: tenant.id };
  expect((await get(tenant.id, actor)).body).toEqual((await get(tenant.id)).body);
  expect(await organizationIds(actor, tenant.id)).toEqual([shared.id, own.id]);
  for (const id of [other.id, absentId]) {
    expect((await get(id, actor)).code).toBe('TENANT_NOT_FOUND');
    expect((await listOrganizations(actor, id)).code).toBe('TENANT_NOT_FOUND');
  }
});

// Rules: ACCESS-13
test.each([
  ['the exception role', { roles: ['tenants:read'] }],
  ['super_admin', { roles: ['super_admin'] }],
  ['an RPT permission', { claims: rpt('resource:tenants_id', ['read']) }],
])('a member with %s reads other tenants, and their organizations in the own scope', async (_, token) => {
  const person = await world.person({ [tenant.id]: 'viewer' }, token);
  expect((await get(other.id, person)).status).toBe(200);
  expect(await organizationIds(person, other.id)).toEqual([shared.id]);
  expect((await get(absentId, person)).code).toBe('TENANT_NOT_FOUND');
  expect((await listOrganizations(person, absentId)).code).toBe('TENANT_NOT_FOUND');
});

// Rules: TENANTS-7
test('DELETE deletes the tenant with its memberships, scopes and links and frees client, customer and app', async () => {
  const gone = await world.tenant();
  const person = await world.person({ [gone.id]: 'technician' });
  const { id: organizationId } = await organizationOf(world, gone);
  await restrict(world, person.id, gone.id, [organizationId]);
  expect((await world.call(world.global, `DELETE /api/tenants/${gone.id}`)).status).toBe(204);
  expect((await get(gone.id)).status).toBe(404);
  for (const table of ['memberships', 'membership_organizations', 'organization_tenants'])
    expect(await world.sql(`select 1 from ${table} where tenant_id = $1`, [gone.id])).toEqual([]);
  expect((await world.call(world.global, `GET /api/organizations/${organizationId}`)).status).toBe(200);
  const { customerId, appId } = tenant;
  await world.create('POST /api/tenants', { customerId, appId, name: 'South', identityClientId: gone.clientId });
  for (const path of [`customers/${gone.customerId}`, `apps/${gone.appId}`])
    expect((await world.call(world.global, `DELETE /api/${path}`)).status).toBe(204);
});
