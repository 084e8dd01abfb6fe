import { expect, test } from 'vitest';
import { createApi } from '../support/api.ts';
import type { Permissions } from '../support/records.ts';
import { rpt } from '../support/rpt.ts';
import { useTenant } from '../support/use-people.ts';
import { useWorld } from '../support/world.ts';
import { arrival, cacheOutdatedName, namesAt } from './cached-names.ts';

const world = useWorld();
const one = useTenant(world);
const two = useTenant(world);

/** Sends all requests at the same time, and again when the cache has their entries. */
async function expectTwice<T>(requests: (() => Promise<T>)[], results: T[]): Promise<void> {
  for (let time = 0; time < 2; time += 1) expect(await Promise.all(requests.map((send) => send()))).toEqual(results);
}

// Rules: CACHE-2
test('requests of a user with different X-Tenant-Id do not share a cache entry', async () => {
  const person = await world.person({ [one.id]: 'viewer', [two.id]: 'tenant-admin' });
  const foreign = await world.tenant();
  const headers = [one.id, two.id.toUpperCase(), undefined, '', foreign.id, 'x', `${one.id} `, `${one.id}, ${two.id}`];
  const personas = ['viewer', 'tenant-admin', null, null, null, null, 'viewer', null];
  const requests = headers.map((tenant) => async () => {
    const actor = { ...person, ...(tenant === undefined ? {} : { tenant }) };
    return (await world.call<Permissions>(actor, 'GET /api/me/permissions')).body.persona;
  });
  await expectTwice(requests, personas);
});

// Rules: AUTH-9
test('tokens of one user with different roles and permissions do not share them', async () => {
  const { subject } = await world.person({ [one.id]: 'viewer' });
  const tokens = await Promise.all([
    world.tokenOf({ sub: subject }),
    world.tokenOf({ sub: subject, roles: ['apps:create'] }),
    world.tokenOf({ sub: subject, roles: ['super_admin'] }),
    world.tokenOf({ sub: subject, claims: rpt('resource:apps', ['create']) }),
    world.tokenOf({ sub: subject, claims: rpt('resource:apps', ['create'], 'another-client') }),
    world.tokenOf({ sub: subject, claims: { resource_access: { web: { roles: ['apps:create'] } } } }),
  ]);
  // The body has no name: a caller who may create an app gets 400.
  const requests = tokens.map((token) => async () => (await world.call({ token }, 'POST /api/apps', {})).code);
  const [refused, passed] = ['NOT_ALLOWED', 'VALIDATION_FAILED'];
  await expectTwice(requests, [refused, passed, passed, passed, refused, refused]);
});

// Rules: CACHE-1, CACHE-2
test('the cache entry of a user is used for each token of one client, not for another client, until it expires', async () => {
  const person = await world.person({ [one.id]: 'viewer' });
  const short = createApi((await world.another({ USER_CACHE_TTL_SECONDS: '1' })).url);
  const newer = { ...person, token: await world.tokenOf({ sub: person.subject }) };
  const ofOtherClient = { ...person, token: await world.tokenOf({ sub: person.subject, azp: 'mobile' }) };
  const namesAfterExpiry = async () => {
    await cacheOutdatedName(world, person, world, short);
    await expect.poll(() => namesAt(person, short), arrival).toEqual(['Current']);
    return [...(await namesAt(newer, world)), ...(await namesAt(ofOtherClient, world))];
  };
  // Repeated, because a notification from the preparation may still arrive and invalidate both entries.
  await expect.poll(namesAfterExpiry, arrival).toEqual(['Outdated', 'Current']);
});
