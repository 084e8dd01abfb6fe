import { absentId } from '@profile-service/contracts/examples';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Actor } from '../support/api.ts';
import { linkTo, organizationOf, restrict, useWorldWithMap } from '../support/organizations.ts';
import type { Tenant } from '../support/people.ts';
import type { Organization, Tenant as TenantRecord } from '../support/records.ts';
import { rpt } from '../support/rpt.ts';

/** Which tenants and organizations a caller sees, and deletion. crud.test.ts tests what all resources have in common. */
const world = useWorldWithMap();
let tenant: Tenant;
let other: Tenant;
let [own, shared, foreign]: Organization[] = [];
beforeAll(async () => {
  [tenant, other] = [await world.tenant(), await world.tenant()];
  owner = { customerId: tenant.customerId, appId: tenant.appId };
  own = await organizationOf(world, tenant, { alias: 'O', active: false });
  shared = await organizationOf(world, tenant, { listed: false });
  await linkTo(world, other, shared.id);
  foreign = await organizationOf(world, other);
});

let owner: { customerId: string; appId: string };
const create = (fields: Record<string, unknown> = {}) =>
  world.call<TenantRecord>(world.global, 'POST /api/tenants', { ...owner, name: 'South', ...fields });
const get = (id: string, actor: Actor = world.global) => world.call<TenantRecord>(actor, `GET /api/tenants/${id}`);
const listOrganizations = (actor: Actor, tenantId = tenant.id) =>
  world.call<{ data: { id: string }[] }>(actor, `GET /api/tenants/${tenantId}/organizations`);
const organizationIds = async (actor: Actor, tenantId?: string) => (await listOrganizations(actor, tenantId)).body.data.map(({ id }) => id);

// Rules: TENANTS-4
test('GET /api/tenants lists the tenants with all fields, newest first', async () => {
  const first = await get((await create({ identityClientId: world.newTaxId(), metadata: { a: 1 } })).body.id);
  const second = await get((await create()).body.id);
  const { body } = await world.call<{ data: Tenant[] }>(world.global, 'GET /api/tenants?limit=2');
  expect(body.data).toEqual([second.body, first.body]);
});

describe('a caller with an active tenant', () => {
  // Rules: ACCESS-12, TENANTS-5
  test.each(['tenant-admin', 'coordinator', 'technician', 'viewer'] as const)('reads only this tenant as a %s', async (persona) => {
    const person = await world.person({ [tenant.id]: persona, [other.id]: persona });
    const actor = { ...person, tenant: tenant.id };
    expect((await get(tenant.id, actor)).body).toEqual((await get(tenant.id)).body);
    expect(await organizationIds(actor)).toEqual([shared?.id, own?.id]);
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
  ])('reads other tenants with %s, and their organizations in the own scope', async (_, token) => {
    const person = await world.person({ [tenant.id]: 'viewer' }, token);
    expect((await get(other.id, person)).status).toBe(200);
    expect(await organizationIds(person, other.id)).toEqual([shared?.id]);
    expect((await get(absentId, person)).code).toBe('TENANT_NOT_FOUND');
    expect((await listOrganizations(person, absentId)).code).toBe('TENANT_NOT_FOUND');
  });
});

describe('GET /api/tenants/{tenantId}/organizations', () => {
  // Rules: TENANTS-10
  test('lists the organizations of the tenant with exactly six fields, newest first, without paging', async () => {
    const item = ({ id, name, alias, federalTaxId, active, listed }: Organization) => ({ id, name, alias, federalTaxId, active, listed });
    expect((await listOrganizations(world.global)).body).toEqual({ data: [shared, own].map((each) => item(each as Organization)) });
    expect(await organizationIds(world.global, other.id)).toEqual([foreign?.id, shared?.id]);
    expect(await organizationIds(world.global, (await world.tenant({ active: false })).id)).toEqual([]);
  });
});

describe('DELETE /api/tenants/{id}', () => {
  // Rules: TENANTS-7
  test('deletes the tenant with its memberships, scopes and links and frees client, customer and app', async () => {
    const gone = await world.tenant();
    const person = await world.person({ [gone.id]: 'technician' });
    const { id: organizationId } = await organizationOf(world, gone);
    await restrict(world, person.id, gone.id, [organizationId]);
    expect((await world.call(world.global, `DELETE /api/tenants/${gone.id}`)).status).toBe(204);
    expect((await get(gone.id)).status).toBe(404);
    expect((await world.call(world.global, `GET /api/users/${person.id}/tenants`)).body).toEqual({ data: [] });
    for (const table of ['memberships', 'membership_organizations', 'organization_tenants'])
      expect(await world.sql(`select 1 from ${table} where tenant_id = $1`, [gone.id])).toEqual([]);
    expect((await world.call(world.global, `GET /api/organizations/${organizationId}`)).status).toBe(200);
    expect((await create({ identityClientId: gone.clientId })).status).toBe(201);
    expect((await world.call(world.global, `DELETE /api/customers/${gone.customerId}`)).status).toBe(204);
    expect((await world.call(world.global, `DELETE /api/apps/${gone.appId}`)).status).toBe(204);
  });
});
