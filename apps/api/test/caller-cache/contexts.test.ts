import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApi } from '../support/api.ts';
import type { Tenant } from '../support/people.ts';
import type { Permissions } from '../support/records.ts';
import { rpt } from '../support/rpt.ts';
import { startWorld, type World } from '../support/world.ts';
import { arrival, namesAt, rememberedAt, rename } from './memory.ts';

let world: World;
let one: Tenant;
let two: Tenant;
beforeAll(async () => {
  world = await startWorld();
  one = await world.tenant();
  two = await world.tenant();
});
afterAll(() => world.stop());

/** Asks for all at once and again and again, so that each meets what the others left in the cache. */
async function often<T>(questions: (() => Promise<T>)[]): Promise<T[][]> {
  const rounds = Array.from({ length: 4 }, (_, index) => (index % 2 ? questions.toReversed() : questions));
  const answers = await Promise.all(rounds.map((round) => Promise.all(round.map((ask) => ask()))));
  return answers.map((round, index) => (index % 2 ? round.toReversed() : round));
}

test('the contexts of X-Tenant-Id do not leak into each other', async () => {
  const person = await world.person({ [one.id]: 'viewer', [two.id]: 'tenant-admin' });
  const foreign = await world.tenant();
  const headers = [one.id, two.id.toUpperCase(), undefined, '', foreign.id, 'x', `${one.id} `, `${one.id}, ${two.id}`];
  const seen = ['viewer', 'tenant-admin', null, null, null, null, 'viewer', null];
  const answers = await often(
    headers.map((tenant) => async () => {
      const actor = { ...person, ...(tenant === undefined ? {} : { tenant }) };
      return (await world.call<Permissions>(actor, 'GET /api/me/permissions')).body.persona;
    }),
  );
  for (const round of answers) expect(round).toEqual(seen);
});

test('nor do those of clients and applications', async () => {
  const tokens = await Promise.all([one, two, one].map(({ clientId }) => world.serviceToken(clientId, { sub: 'an-application' })));
  const answers = await often(
    tokens.map((token) => async () => (await world.call<{ caller: string }>({ token }, 'GET /service/cooperatives')).body.caller),
  );
  for (const round of answers) expect(round).toEqual([one.id, two.id, one.id]);
});

test('two tokens of one person with different rights never share them', async () => {
  const { subject } = await world.person({ [one.id]: 'viewer' });
  const tokens = await Promise.all([
    world.tokenOf({ sub: subject }),
    world.tokenOf({ sub: subject, roles: ['apps:create'] }),
    world.tokenOf({ sub: subject, roles: ['super_admin'] }),
    world.tokenOf({ sub: subject, claims: rpt('resource:apps', ['create']) }),
    world.tokenOf({ sub: subject, claims: rpt('resource:apps', ['create'], 'another-client') }),
    world.tokenOf({ sub: subject, claims: { resource_access: { web: { roles: ['apps:create'] } } } }),
  ]);
  // Without a name: whoever may create an app is told so.
  const answers = await often(tokens.map((token) => async () => (await world.call({ token }, 'POST /api/apps', {})).code));
  const [refused, passed] = ['NOT_ALLOWED', 'VALIDATION_FAILED'];
  for (const round of answers) expect(round).toEqual([refused, passed, passed, passed, refused, refused]);
});

describe('what the store said', () => {
  test('is remembered, for each client, whichever token asks', async () => {
    const person = await world.person({ [one.id]: 'viewer' });
    await rememberedAt(world, person, world);
    const newer = { ...person, token: await world.tokenOf({ sub: person.subject }) };
    const ofOtherClient = { ...person, token: await world.tokenOf({ sub: person.subject, azp: 'mobile' }) };
    expect(await namesAt(newer, world)).toEqual(['Told']);
    expect(await namesAt(ofOtherClient, world)).toEqual(['Not Told']);
  });

  test('for USER_CACHE_TTL_SECONDS and no longer', async () => {
    const person = await world.person({ [one.id]: 'viewer' });
    const short = createApi((await world.another({ USER_CACHE_TTL_SECONDS: '1' })).url);
    await rememberedAt(world, person, world, short);
    await expect.poll(() => namesAt(person, short), arrival).toEqual(['Not Told']);
    expect(await namesAt(person, world)).toEqual(['Told']);
  });

  test('is remembered apart for tenants that are not the caller’s, until the rejections are dropped', async () => {
    const person = await world.person({ [one.id]: 'viewer' });
    await rememberedAt(world, person, world);
    const elsewhere = { ...person, tenant: two.id };
    expect(await namesAt(elsewhere, world)).toEqual(['Not Told']);
    await rename(world, person, 'Another Name');
    expect(await namesAt(elsewhere, world)).toEqual(['Not Told']);
    await world.sql("select pg_notify('profile_caller_invalidation', $1)", [JSON.stringify({ rejections: true })]);
    await expect.poll(() => namesAt(elsewhere, world), arrival).toEqual(['Another Name']);
    expect(await namesAt(person, world)).toEqual(['Told']);
  });
});
