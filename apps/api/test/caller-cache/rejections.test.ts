import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Service } from '../../src/service.ts';
import { type Actor, type Api, createApi, outcome } from '../support/api.ts';
import type { Tenant } from '../support/people.ts';
import { startWorld, type World } from '../support/world.ts';
import { arrival } from './memory.ts';

let world: World;
let tenant: Tenant;
let first: Service;
let second: Service;
let api: Api;
let elsewhere: Api;
beforeAll(async () => {
  world = await startWorld();
  tenant = await world.tenant();
  first = await world.another({ MANAGEMENT_PORT: '0' });
  second = await world.another({ MANAGEMENT_PORT: '0' });
  api = createApi(first.url);
  elsewhere = createApi(second.url);
  // Both instances trust their caches.
  const member = await world.person({ [tenant.id]: 'viewer' });
  await vi.waitFor(async () => {
    for (const instance of [first, second])
      if ((await lookups(instance, () => createApi(instance.url).call(member, 'GET /api/states'))) > 0)
        throw new Error('The instance loads callers on each request');
  }, arrival);
});
afterAll(() => world.stop());

/** How many callers the work loads from the database. */
async function lookups({ managementUrl }: Service, work: () => Promise<unknown>): Promise<number> {
  const count = async () => {
    const metrics = await (await fetch(`${managementUrl}/metrics`)).text();
    return Number(/^profile_caller_cache_lookups_total\{outcome="miss"\} (\d+)$/m.exec(metrics)?.[1] ?? 0);
  };
  const before = await count();
  await work();
  return (await count()) - before;
}

const times = (count: number, actor: Actor, target: string) => async () => {
  for (let index = 0; index < count; index += 1) await api.call(actor, target);
};

describe('a caller who is refused costs one look-up, however often they call:', () => {
  test('an unknown person, whichever tenant they name', async () => {
    const token = await world.tokenOf();
    expect(await lookups(first, times(5, { token }, 'GET /api/states'))).toBe(1);
    for (const named of [tenant.id, randomUUID()])
      expect(await lookups(first, times(5, { token, tenant: named }, 'GET /api/states'))).toBe(0);
  });

  test('an unknown application', async () => {
    expect(await lookups(first, times(5, { token: await world.serviceToken('nobody') }, 'GET /service/organizations'))).toBe(1);
  });

  test('a person who names a tenant that is not theirs', async () => {
    const person = await world.person({ [tenant.id]: 'viewer' });
    expect(await lookups(first, times(5, { ...person, tenant: randomUUID() }, 'GET /api/states'))).toBe(1);
  });
});

test('an unknown person is refused by the rate limit before they are looked up', async () => {
  const limited = await world.another({ RATE_LIMIT_CALLER_PER_SECOND: '2' }, { limitWindowSeconds: 3600 });
  const asked = createApi(limited.url);
  const token = await world.tokenOf();
  const outcomes = [];
  for (let index = 0; index < 3; index += 1) outcomes.push(outcome(await asked.call({ token }, 'GET /api/states')));
  expect(outcomes).toEqual(['USER_NOT_PROVISIONED', 'USER_NOT_PROVISIONED', 'RATE_LIMITED']);
});

describe('whoever was refused and is created gets in at once, and soon on the other instance:', () => {
  test('a person', async () => {
    const { token, id, email, federalTaxId } = await world.person();
    expect((await api.call(world.global, `DELETE /api/users/${id}`)).status).toBe(204);
    const call = (instance: Api) => instance.call({ token }, 'GET /api/me/tenants');
    await expect.poll(async () => outcome(await call(elsewhere)), arrival).toBe('USER_NOT_PROVISIONED');
    expect(outcome(await call(api))).toBe('USER_NOT_PROVISIONED');
    // Their identity is found by the e-mail, so that the token is theirs again.
    const again = { name: 'Created again', email, federalTaxId, type: 'Technician' };
    expect((await api.call(world.global, 'POST /api/users', again)).status).toBe(201);
    expect(outcome(await call(api))).toBe(200);
    await expect.poll(async () => outcome(await call(elsewhere)), arrival).toBe(200);
  });

  test('a membership', async () => {
    const person = await world.person({ [tenant.id]: 'viewer' });
    const another = await world.tenant();
    const call = (instance: Api) => instance.call({ ...person, tenant: another.id }, 'GET /api/states');
    for (const instance of [api, elsewhere]) expect(outcome(await call(instance))).toBe('TENANT_NOT_ALLOWED');
    await api.call(world.global, `POST /api/users/${person.id}/tenants`, { tenantId: another.id, persona: 'viewer' });
    expect(outcome(await call(api))).toBe(200);
    await expect.poll(async () => outcome(await call(elsewhere)), arrival).toBe(200);
  });

  test('the tenant of an application', async () => {
    const clientId = `client-${randomUUID()}`;
    const token = await world.serviceToken(clientId);
    const call = (instance: Api) => instance.call({ token }, 'GET /service/organizations');
    for (const instance of [api, elsewhere]) expect(outcome(await call(instance))).toBe('CLIENT_NOT_LINKED');
    const { customerId, appId } = tenant;
    const body = { customerId, appId, name: 'Linked later', identityClientId: clientId };
    expect((await api.call(world.global, 'POST /api/tenants', body)).status).toBe(201);
    expect(outcome(await call(api))).toBe(200);
    await expect.poll(async () => outcome(await call(elsewhere)), arrival).toBe(200);
  });
});
