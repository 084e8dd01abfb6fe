import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Actor } from '../support/api.ts';
import { linkTo, organizationOf, startWorldWithMap } from '../support/organizations.ts';
import type { Tenant } from '../support/people.ts';
import { absentId, type Organization } from '../support/records.ts';
import { rpt } from '../support/rpt.ts';
import type { World } from '../support/world.ts';

let world: World;
let tenant: Tenant;
let other: Tenant;
let [own, shared, foreign]: Organization[] = [];
beforeAll(async () => {
  world = await startWorldWithMap();
  [tenant, other] = [await world.tenant(), await world.tenant()];
  own = await organizationOf(world, tenant, { alias: 'O', active: false });
  shared = await organizationOf(world, tenant, { listed: false });
  await linkTo(world, other, shared.id);
  foreign = await organizationOf(world, other);
});
afterAll(() => world.stop());

const list = (actor: Actor, tenantId = tenant.id) =>
  world.call<{ data: { id: string }[] }>(actor, `GET /api/tenants/${tenantId}/organizations`);
const ids = async (actor: Actor, tenantId?: string) => (await list(actor, tenantId)).body.data.map(({ id }) => id);
const item = ({ id, name, alias, federalTaxId, active, listed }: Organization) => ({ id, name, alias, federalTaxId, active, listed });

describe('GET /api/tenants/{tenantId}/organizations', () => {
  // Rules: TENANTS-10
  test('lists the organizations of the tenant with exactly six fields, newest first, without paging', async () => {
    const { status, body } = await list(world.global);
    expect({ status, body }).toEqual({ status: 200, body: { data: [shared, own].map((each) => item(each as Organization)) } });
    expect(await ids(world.global, other.id)).toEqual([foreign?.id, shared?.id]);
    expect(await ids(world.global, (await world.tenant({ active: false })).id)).toEqual([]);
  });

  test('leaves out deleted and unlinked organizations', async () => {
    const third = await world.tenant();
    const [kept, gone, left] = [await organizationOf(world, third), await organizationOf(world, third), await organizationOf(world, third)];
    await world.call(world.global, `DELETE /api/organizations/${gone.id}`);
    await world.call(third.service, `DELETE /service/organizations/${left.id}/tenants`);
    expect(await ids(world.global, third.id)).toEqual([kept.id]);
  });

  // Rules: ACCESS-12
  test.each(['tenant-admin', 'coordinator', 'technician', 'viewer'] as const)(
    'lists the active tenant for a %s and answers TENANT_NOT_FOUND for another one',
    async (persona) => {
      const person = await world.person({ [tenant.id]: persona, [other.id]: persona });
      const actor = { ...person, tenant: tenant.id };
      expect(await ids(actor)).toEqual([shared?.id, own?.id]);
      for (const id of [other.id, absentId]) expect((await list(actor, id)).code).toBe('TENANT_NOT_FOUND');
    },
  );

  // Rules: TENANTS-10
  test('lists only granted organizations for a RESTRICTED member', async () => {
    const person = await world.person({ [tenant.id]: 'viewer' });
    const scope = `PUT /api/users/${person.id}/tenants/${tenant.id}/organizations`;
    await world.call(world.global, scope, { scope: 'RESTRICTED', organizationIds: [own?.id] });
    expect(await ids(person)).toEqual([own?.id]);
    await world.call(world.global, scope, { scope: 'RESTRICTED', organizationIds: [] });
    expect(await ids(person)).toEqual([]);
  });

  // Rules: ACCESS-13
  test.each([
    ['the exception role', { roles: ['tenants:read'] }],
    ['super_admin', { roles: ['super_admin'] }],
    ['an RPT permission', { claims: rpt('resource:tenants_id', ['read']) }],
  ])('lists organizations in the caller’s scope for another tenant, with %s', async (_, token) => {
    const person = await world.person({ [tenant.id]: 'viewer' }, token);
    expect(await ids(person, other.id)).toEqual([shared?.id]);
    expect((await list(person, absentId)).code).toBe('TENANT_NOT_FOUND');
  });

  test('lists organizations in the scope of the active tenant for a Global user', async () => {
    const person = await world.person({ [tenant.id]: 'viewer' }, { type: 'Global' });
    expect(await ids({ ...person, tenant: tenant.id }, other.id)).toEqual([shared?.id]);
    expect(await ids(person, other.id)).toEqual([foreign?.id, shared?.id]);
  });
});
