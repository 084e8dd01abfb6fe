import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Actor } from '../support/api.ts';
import type { Tenant } from '../support/people.ts';
import { absentId, type MembershipList } from '../support/records.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World;
let one: Tenant;
let two: Tenant;
beforeAll(async () => {
  world = await startWorld();
  one = await world.tenant();
  two = await world.tenant();
});
afterAll(() => world.stop());

describe('GET /api/me/tenants', () => {
  const list = (actor: Actor) => world.call<MembershipList>(actor, 'GET /api/me/tenants');

  // Rules: ME-2
  test('lists the active tenants in which the user has a persona, newest first', async () => {
    const [off, old] = [await world.tenant({ active: false }), await world.tenant()];
    const person = await world.person({ [one.id]: 'viewer', [off.id]: 'viewer', [two.id]: 'tenant-admin', [old.id]: 'viewer' });
    await world.sql('update memberships set persona = null where tenant_id = $1', [old.id]);
    const { status, body } = await list(person);
    expect(status).toBe(200);
    const item = ({ id, customerId, appId, clientId: name }: Tenant, persona: string) => ({
      id,
      customerId,
      appId,
      name,
      active: true,
      persona,
    });
    expect(body).toEqual({ data: [item(two, 'tenant-admin'), item(one, 'viewer')] });
  });

  // Rules: ME-1, TENANT-9
  test('succeeds without tenant or persona, and with an X-Tenant-Id that every other endpoint refuses', async () => {
    expect(await list(await world.person())).toMatchObject({ status: 200, body: { data: [] } });
    const person = await world.person({ [one.id]: 'viewer' });
    for (const tenant of [two.id, absentId, 'no-uuid', one.id])
      expect((await list({ ...person, tenant })).body.data.map(({ id }) => id)).toEqual([one.id]);
  });

  test('lists only the memberships of a Global user', async () => {
    expect((await list(world.global)).body).toEqual({ data: [] });
    const person = await world.person({ [one.id]: 'viewer' }, { type: 'Global' });
    expect((await list(person)).body.data.map(({ id }) => id)).toEqual([one.id]);
  });
});
