import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import type { Service } from '../../src/service/service.ts';
import { type Actor, type Api, createApi, outcome } from '../support/api.ts';
import { useTenant } from '../support/use-people.ts';
import { useWorld } from '../support/world.ts';
import { arrival } from './cached-names.ts';

const world = useWorld();
const tenant = useTenant(world);
let service: Service;
let api: Api;
beforeAll(async () => {
  service = await world.another({ MANAGEMENT_PORT: '0' });
  api = createApi(service.url);
  // An instance caches callers once its notification channel is open.
  const member = await world.person({ [tenant.id]: 'viewer' });
  await vi.waitFor(async () => {
    if ((await loadsDuring(member, 'GET /api/states')) > 0) throw new Error('The instance does not cache callers yet');
  }, arrival);
});

/** Sends the request five times. Returns how many times the service loaded a caller from the database. */
async function loadsDuring(actor: Actor, target: string): Promise<number> {
  const count = async () => {
    const metrics = await (await fetch(`${service.managementUrl}/metrics`)).text();
    return Number(/^profile_caller_cache_lookups_total\{outcome="miss"\} (\d+)$/m.exec(metrics)?.[1] ?? 0);
  };
  const before = await count();
  for (let request = 0; request < 5; request += 1) await api.call(actor, target);
  return (await count()) - before;
}

// Polls with a new caller or tenant each time: a notification of an earlier change may arrive between the five requests and drop the entry.
describe('five requests load the caller from the database once:', () => {
  test('an unknown user, who is then known to be unknown in every tenant', async () => {
    const loadsOfUnknownUser = async () => {
      const token = await world.tokenOf();
      const loads = [];
      for (const named of [undefined, tenant.id, randomUUID()])
        loads.push(await loadsDuring({ token, ...(named && { tenant: named }) }, 'GET /api/states'));
      return loads;
    };
    await expect.poll(loadsOfUnknownUser).toEqual([1, 0, 0]);
  });

  test('an application of an unknown client', async () => {
    const loadsOfUnknownClient = async () =>
      loadsDuring({ token: await world.serviceToken(`nobody-${randomUUID()}`) }, 'GET /service/organizations');
    await expect.poll(loadsOfUnknownClient).toBe(1);
  });

  test('a user who names a tenant that they do not belong to', async () => {
    const person = await world.person({ [tenant.id]: 'viewer' });
    await expect.poll(() => loadsDuring({ ...person, tenant: randomUUID() }, 'GET /api/states')).toBe(1);
  });
});

test('the rate limit of a caller applies before the caller is loaded', async () => {
  const limited = createApi((await world.another({ RATE_LIMIT_CALLER_PER_SECOND: '2' }, { limitWindowSeconds: 3600 })).url);
  const token = await world.tokenOf();
  const outcomes = [];
  for (let request = 0; request < 3; request += 1) outcomes.push(outcome(await limited.call({ token }, 'GET /api/states')));
  expect(outcomes).toEqual(['USER_NOT_PROVISIONED', 'USER_NOT_PROVISIONED', 'RATE_LIMITED']);
});
