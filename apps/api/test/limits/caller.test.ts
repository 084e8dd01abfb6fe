import { describe, expect, test } from 'vitest';
import { duringTests } from '../../../../test/during-tests.ts';
import { type Actor, type Api, type ApiResponse, outcome } from '../support/api.ts';
import { pdf, upload } from '../support/files.ts';
import { lockTable } from '../support/race.ts';
import { useTenant } from '../support/use-people.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();
const tenant = useTenant(world);
/** Allows three requests per caller and hour, and the creation of one user. */
const strict = duringTests(() => start({ RATE_LIMIT_CALLER_PER_SECOND: '3', RATE_LIMIT_IDENTITY_PER_SECOND: '1' }));

const start = (limits: Record<string, string>) => world.another(limits, { limitWindowSeconds: 3600 });
const member = () => world.person({ [tenant.id]: 'viewer' });
const repeated = <Item>(times: number, item: Item): Item[] => Array.from({ length: times }, () => item);
/** Makes the calls one after the other. */
async function inOrder<Item>(items: readonly Item[], call: (item: Item) => Promise<ApiResponse<unknown>>): Promise<ApiResponse<unknown>[]> {
  const answers: ApiResponse<unknown>[] = [];
  for (const item of items) answers.push(await call(item));
  return answers;
}
const listStates = (actor: Actor) => strict.call(actor, 'GET /api/states');
const provision = (actor: Actor) => strict.call(actor, 'POST /service/users', { ...world.newPerson(), persona: 'viewer' });
const limitHeaders = ({ headers }: { headers: Headers }) =>
  ['ratelimit-policy', 'ratelimit', 'retry-after'].map((name) => headers.get(name));

describe('a user', () => {
  // Rules: ERRORS-8, LIMITS-5, LIMITS-6
  test('makes as many requests as the limit allows, at any endpoint', async () => {
    const person = await member();
    const file = await upload(world, await world.person({ [tenant.id]: 'tenant-admin' }), {}, pdf());
    const paths = ['states', `attachments/${file.body.id}`, `tenants/${tenant.id}`, 'states', 'me/permissions'];
    const answers = await inOrder(paths, (path) => strict.call(person, `GET /api/${path}`));
    expect(answers.map(outcome)).toEqual([200, 200, 200, 'RATE_LIMITED', 'RATE_LIMITED']);
    expect(answers.map(limitHeaders)).toEqual(
      [2, 1, 0, 0, 0].map((left, index) => [
        '"caller";q=3;w=3600',
        expect.stringMatching(`^"caller";r=${left};t=3?\\d+$`),
        index < 3 ? null : '1',
      ]),
    );
    // Another user is not affected.
    expect(outcome(await listStates(await member()))).toBe(200);
  });

  // Rules: CHECKS-5
  test('is one caller for all tokens and tenants, also for rejected requests', async () => {
    const person = await member();
    const others = [{ ...person, tenant: tenant.id }, { token: await world.tokenOf({ sub: person.subject, azp: 'another' }) }];
    const answers = await inOrder<Actor>([person, ...others, person], (actor) => strict.call(actor, 'GET /api/customers'));
    expect(answers.map(outcome)).toEqual(['NOT_ALLOWED', 'NOT_ALLOWED', 'NOT_ALLOWED', 'RATE_LIMITED']);
  });

  test('is not limited, and gets no headers, if the limits are off', async () => {
    const off = { RATE_LIMIT_CALLER_PER_SECOND: '0', RATE_LIMIT_ADDRESS_PER_SECOND: '0', RATE_LIMIT_IDENTITY_PER_SECOND: '0' };
    const api = await start(off);
    const answers = await Promise.all(repeated(50, await member()).map((person) => api.call(person, 'GET /api/states')));
    expect(new Set(answers.map(outcome))).toEqual(new Set([200]));
    expect(answers.flatMap(limitHeaders)).toEqual(answers.flatMap(() => [null, null, null]));
  });
});

test('an application is limited by its client', async () => {
  const { clientId, service } = await world.tenant();
  const actors = [service, { token: await world.serviceToken(clientId) }, service, service, tenant.service];
  const answers = await inOrder(actors, (actor) => strict.call(actor, 'GET /service/cooperatives'));
  expect(answers.map(outcome)).toEqual([200, 200, 200, 'RATE_LIMITED', 200]);
});

describe('the limit of calls to the identity provider', () => {
  const create = (api: Api, actor: Actor) => api.call(actor, 'POST /api/users', world.newPerson());
  const creator = async () => {
    const { subject } = await member();
    return { token: await world.tokenOf({ sub: subject, roles: ['users:create'] }) };
  };

  test('does not affect other endpoints and other callers', async () => {
    const actor = await creator();
    const [first, second] = [await create(strict, actor), await create(strict, actor)];
    expect([first, second].map(outcome)).toEqual([201, 'RATE_LIMITED']);
    expect(limitHeaders(second)).toEqual(['"identity";q=1;w=3600', expect.stringMatching(/^"identity";r=0;t=\d+$/), '1']);
    expect(outcome(await listStates(actor))).toBe(200);
    expect(outcome(await create(strict, await creator()))).toBe(201);
  });

  // Rules: LIMITS-7
  test('refuses concurrent requests over the limit, which create neither users nor identities', async () => {
    const actor = await creator();
    const counts = async () => [(await world.sql('select id from users')).length, world.identity.users().length];
    const before = await counts();
    const api = await start({ RATE_LIMIT_IDENTITY_PER_SECOND: '5' });
    const outcomes = (await Promise.all(repeated(20, actor).map((each) => create(api, each)))).map(outcome);
    expect(outcomes.toSorted()).toEqual([...repeated(5, 201), ...repeated(15, 'RATE_LIMITED')]);
    expect(await counts()).toEqual(before.map((count) => count + 5));
    expect(outcome(await api.call(actor, 'GET /api/states'))).toBe(200);
  });
});

test('a rejected request does not reach the database', async () => {
  const [person, { service }] = [await member(), await world.tenant()];
  await inOrder(repeated(3, person), listStates);
  expect((await provision(service)).status).toBe(201);
  const { end } = await lockTable(world, 'states, users');
  expect(await Promise.all([listStates(person), provision(service)]).then((answers) => answers.map(outcome))).toEqual(
    repeated(2, 'RATE_LIMITED'),
  );
  await end();
  // The limit of calls to the identity provider does not affect other requests of the application.
  expect(outcome(await strict.call(service, 'GET /service/cooperatives'))).toBe(200);
});
