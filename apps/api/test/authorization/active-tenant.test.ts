import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Actor } from '../support/api.ts';
import type { Tenant } from '../support/people.ts';
import { absentId, type Permissions } from '../support/records.ts';
import { startWorld, type World } from '../support/world.ts';

/** Each line of the table "Active tenant" in specification part 5. */
let world: World;
let one: Tenant;
let two: Tenant;
let inactive: Tenant;
beforeAll(async () => {
  world = await startWorld();
  one = await world.tenant();
  two = await world.tenant();
  inactive = await world.tenant({ active: false });
});
afterAll(() => world.stop());

/** Every persona can read only the active tenant, so this read shows which one it is. */
const get = (actor: Actor, tenant: Tenant) => world.call(actor, `GET /api/tenants/${tenant.id}`);
const permissions = async (actor: Actor) => (await world.call<Permissions>(actor, 'GET /api/me/permissions')).body;
const losePersona = (userId: string, tenant: Tenant) =>
  world.sql('update memberships set persona = null where user_id = $1 and tenant_id = $2', [userId, tenant.id]);
const headers = [undefined, ''];

describe('a Global user without a header', () => {
  // Rules: TENANT-1
  test.each(headers)('has no active tenant and sees all organizations, whatever the memberships (header: %o)', async (tenant) => {
    for (const memberships of [{}, { [one.id]: 'viewer' }, { [one.id]: 'viewer', [two.id]: 'viewer' }] as const) {
      const person = { ...(await world.person(memberships, { type: 'Global' })), ...(tenant === undefined ? {} : { tenant }) };
      expect((await get(person, one)).status).toBe(200);
      expect(await permissions(person)).toMatchObject({ tenantId: null, persona: null, organizationScope: 'ALL' });
    }
  });
});

describe('a user with exactly one tenant, without a header', () => {
  // Rules: TENANT-2
  test.each(headers)('works in this tenant (header: %o)', async (tenant) => {
    const person = { ...(await world.person({ [one.id]: 'technician' })), ...(tenant === undefined ? {} : { tenant }) };
    expect((await get(person, one)).status).toBe(200);
    expect((await get(person, two)).code).toBe('TENANT_NOT_FOUND');
    expect(await permissions(person)).toMatchObject({ tenantId: one.id, persona: 'technician', organizationScope: 'TENANT' });
  });

  // Rules: TENANT-2, TENANT-4
  test('does not count memberships of inactive tenants', async () => {
    const person = await world.person({ [one.id]: 'viewer', [inactive.id]: 'tenant-admin' });
    expect((await get(person, one)).status).toBe(200);
  });

  // Rules: TENANT-7
  test('gets PERSONA_NOT_ASSIGNED if the membership has no persona', async () => {
    const person = await world.person({ [one.id]: 'viewer' });
    await losePersona(person.id, one);
    expect((await get(person, one)).code).toBe('PERSONA_NOT_ASSIGNED');
  });
});

describe('a user with no or several tenants, without a header', () => {
  // Rules: TENANT-3
  test.each(headers)('gets ACTIVE_TENANT_REQUIRED (header: %o)', async (tenant) => {
    for (const memberships of [{}, { [inactive.id]: 'viewer' }, { [one.id]: 'viewer', [two.id]: 'viewer' }] as const) {
      const person = { ...(await world.person(memberships)), ...(tenant === undefined ? {} : { tenant }) };
      expect((await get(person, one)).code).toBe('ACTIVE_TENANT_REQUIRED');
    }
  });

  // Rules: TENANT-4
  test('gets ACTIVE_TENANT_REQUIRED also if one of two memberships has no persona', async () => {
    const person = await world.person({ [one.id]: 'viewer', [two.id]: 'viewer' });
    await losePersona(person.id, two);
    expect((await get(person, one)).code).toBe('ACTIVE_TENANT_REQUIRED');
  });
});

describe('a header that names a tenant with membership and persona', () => {
  // Rules: TENANT-5
  test('makes it the active tenant, with the persona of the membership', async () => {
    const person = await world.person({ [one.id]: 'viewer', [two.id]: 'tenant-admin' });
    for (const [tenant, persona, cooperatives] of [
      [one, 'viewer', 403],
      [two, 'tenant-admin', 200],
    ] as const) {
      const actor = { ...person, tenant: tenant.id };
      expect((await get(actor, tenant)).status).toBe(200);
      expect((await world.call(actor, 'GET /api/cooperatives')).status).toBe(cooperatives);
      expect(await permissions(actor)).toMatchObject({ tenantId: tenant.id, persona, organizationScope: 'TENANT' });
    }
  });

  test('is accepted in upper case', async () => {
    const person = await world.person({ [one.id]: 'viewer', [two.id]: 'viewer' });
    expect((await get({ ...person, tenant: one.id.toUpperCase() }, one)).status).toBe(200);
  });

  // Rules: TENANT-8
  test('limits the scope of a Global user, who keeps all permissions', async () => {
    const person = { ...(await world.person({ [one.id]: 'viewer' }, { type: 'Global' })), tenant: one.id };
    expect((await get(person, two)).status).toBe(200);
    expect(await permissions(person)).toMatchObject({ tenantId: one.id, persona: 'viewer', organizationScope: 'TENANT' });
  });
});

describe('a header that names any other tenant', () => {
  // Rules: TENANT-6
  test.each(['Technician', 'Global'] as const)('answers TENANT_NOT_ALLOWED to a %s, who has another tenant', async (type) => {
    const person = await world.person({ [one.id]: 'viewer', [inactive.id]: 'viewer' }, { type });
    for (const tenant of [two.id, inactive.id, absentId, 'no-uuid', `${one.id},${two.id}`, 'null'])
      expect((await get({ ...person, tenant }, one)).code).toBe('TENANT_NOT_ALLOWED');
  });

  // Rules: TENANT-7
  test.each(['Technician', 'Global'] as const)('answers PERSONA_NOT_ASSIGNED to a %s whose membership has no persona', async (type) => {
    const person = await world.person({ [one.id]: 'viewer', [two.id]: 'viewer' }, { type });
    await losePersona(person.id, two);
    expect((await get({ ...person, tenant: two.id }, one)).code).toBe('PERSONA_NOT_ASSIGNED');
  });
});
