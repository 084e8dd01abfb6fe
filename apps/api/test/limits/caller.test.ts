import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, type Api, createApi, outcome } from '../support/api.ts';
import type { Tenant } from '../support/people.ts';
import { raceAgainst } from '../support/race.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World;
let tenant: Tenant;
/** Allows three requests per caller and hour, and the creation of one user. */
let strict: Api;
beforeAll(async () => {
  world = await startWorld();
  tenant = await world.tenant();
  const limits = { RATE_LIMIT_CALLER_PER_SECOND: '3', RATE_LIMIT_IDENTITY_PER_SECOND: '1' };
  strict = createApi((await world.another(limits, { limitWindowSeconds: 3600 })).url);
});
afterAll(() => world.stop());

const member = () => world.person({ [tenant.id]: 'viewer' });
/** The outcomes of repeated calls. */
async function outcomes(times: number, call: () => Promise<Answer<unknown>>): Promise<(string | number)[]> {
  const all: (string | number)[] = [];
  for (let index = 0; index < times; index += 1) all.push(outcome(await call()));
  return all;
}
const limitsShown = ({ headers }: { headers: Headers }) =>
  ['ratelimit-policy', 'ratelimit', 'retry-after'].map((name) => headers.get(name));

describe('a user', () => {
  // Rules: ERRORS-8, LIMITS-5, LIMITS-6
  test('makes as many requests as the limit allows, at any endpoint', async () => {
    const person = await member();
    const targets = [
      'GET /api/states',
      'GET /api/me/tenants',
      `GET /api/tenants/${tenant.id}`,
      'GET /api/states',
      'GET /api/me/permissions',
    ];
    const answers = [];
    for (const target of targets) answers.push(await strict.call(person, target));
    expect(answers.map(outcome)).toEqual([200, 200, 200, 'RATE_LIMITED', 'RATE_LIMITED']);
  });

  test('gets the remaining requests and the time to wait in headers', async () => {
    const person = await member();
    const answers = [];
    for (let index = 0; index < 4; index += 1) answers.push(await strict.call(person, 'GET /api/states'));
    const shown = answers.map(limitsShown);
    expect(shown.map(([policy]) => policy)).toEqual(answers.map(() => '"caller";q=3;w=3600'));
    expect(shown.map(([, limit]) => limit)).toEqual([2, 1, 0, 0].map((left) => expect.stringMatching(`^"caller";r=${left};t=3?\\d+$`)));
    expect(shown.map(([, , retryAfter]) => retryAfter)).toEqual([null, null, null, '1']);
  });

  test('is one caller for all tokens and tenants', async () => {
    const person = await member();
    const others = [{ ...person, tenant: tenant.id }, { token: await world.tokenOf({ sub: person.subject, azp: 'another' }) }];
    const answers = [];
    for (const actor of [person, ...others, person]) answers.push(await strict.call(actor, 'GET /api/me/tenants'));
    expect(answers.map(outcome)).toEqual([200, 200, 200, 'RATE_LIMITED']);
  });

  test('does not affect another user', async () => {
    const [one, other] = [await member(), await member()];
    expect(await outcomes(4, () => strict.call(one, 'GET /api/states'))).toContain('RATE_LIMITED');
    expect(await outcomes(3, () => strict.call(other, 'GET /api/states'))).toEqual([200, 200, 200]);
  });

  // Rules: CHECKS-5
  test('is counted for refused requests too', async () => {
    const person = await member();
    const answers = await outcomes(4, () => strict.call(person, 'GET /api/customers'));
    expect(answers).toEqual(['NOT_ALLOWED', 'NOT_ALLOWED', 'NOT_ALLOWED', 'RATE_LIMITED']);
  });

  test('is accepted again after the window', async () => {
    const api = createApi((await world.another({ RATE_LIMIT_CALLER_PER_SECOND: '1' })).url);
    const person = await member();
    const ask = async () => outcome(await api.call(person, 'GET /api/states'));
    await expect.poll(() => Promise.all([ask(), ask(), ask()])).toContain('RATE_LIMITED');
    await expect.poll(ask).toBe(200);
  });

  test('is not limited, and gets no headers, if the limits are off', async () => {
    const off = { RATE_LIMIT_CALLER_PER_SECOND: '0', RATE_LIMIT_ADDRESS_PER_SECOND: '0', RATE_LIMIT_IDENTITY_PER_SECOND: '0' };
    const api = createApi((await world.another(off, { limitWindowSeconds: 3600 })).url);
    const person = await member();
    const answers = await Promise.all(Array.from({ length: 50 }, () => api.call(person, 'GET /api/states')));
    expect(new Set(answers.map(outcome))).toEqual(new Set([200]));
    expect(answers.flatMap(limitsShown)).toEqual(answers.flatMap(() => [null, null, null]));
  });
});

test('an application is limited by its client', async () => {
  const { clientId, service } = await world.tenant();
  const answers = [];
  for (const actor of [service, { token: await world.serviceToken(clientId) }, service, service])
    answers.push(await strict.call(actor, 'GET /service/cooperatives'));
  expect(answers.map(outcome)).toEqual([200, 200, 200, 'RATE_LIMITED']);
  expect(outcome(await strict.call(tenant.service, 'GET /service/cooperatives'))).toBe(200);
});

describe('the limit of calls to the identity provider', () => {
  const create = (api: Api, actor = world.global) => api.call(actor, 'POST /api/users', world.newPerson());
  const creator = async () => {
    const { subject } = await world.person({ [tenant.id]: 'viewer' });
    return { token: await world.tokenOf({ sub: subject, roles: ['users:create'] }) };
  };

  test('does not affect other endpoints', async () => {
    const actor = await creator();
    const [first, second] = [await create(strict, actor), await create(strict, actor)];
    expect([first, second].map(outcome)).toEqual([201, 'RATE_LIMITED']);
    expect(limitsShown(second)).toEqual(['"identity";q=1;w=3600', expect.stringMatching(/^"identity";r=0;t=\d+$/), '1']);
    expect(outcome(await strict.call(actor, 'GET /api/states'))).toBe(200);
    expect(outcome(await create(strict, await creator()))).toBe(201);
  });

  test('applies to applications', async () => {
    const { service } = await world.tenant();
    const provision = () => strict.call(service, 'POST /service/users', { ...world.newPerson(), persona: 'viewer' });
    expect(await outcomes(2, provision)).toEqual([201, 'RATE_LIMITED']);
    expect(outcome(await strict.call(service, 'GET /service/cooperatives'))).toBe(200);
  });

  // Rules: LIMITS-7
  test('is not used by refused creations, which leave no identities behind', async () => {
    const actor = await creator();
    const [people, identities] = [() => world.sql('select id from users'), () => world.identity.users()];
    const before = [(await people()).length, identities().length];
    const busy = createApi((await world.another({ RATE_LIMIT_IDENTITY_PER_SECOND: '5' }, { limitWindowSeconds: 3600 })).url);
    const answers = await Promise.all(Array.from({ length: 100 }, () => create(busy, actor)));
    expect(answers.map(outcome).filter((each) => each === 201)).toHaveLength(5);
    expect(answers.map(outcome).filter((each) => each === 'RATE_LIMITED')).toHaveLength(95);
    expect([(await people()).length, identities().length]).toEqual(before.map((count) => count + 5));
    expect(outcome(await busy.call(actor, 'GET /api/states'))).toBe(200);
  });
});

describe('a refused request does not reach the database', () => {
  /** Makes a request while the table is locked, and checks the response before the lock ends. */
  async function expectUnderLock(table: string, ask: () => Promise<Answer<unknown>>, look: (answered: () => unknown) => Promise<unknown>) {
    let answered: unknown;
    const lock: [string, unknown[]] = [`lock table ${table} in access exclusive mode`, []];
    await raceAgainst(
      world,
      lock,
      async () => (answered = outcome(await ask())),
      () => look(() => answered),
    );
  }
  const waits = async (answered: () => unknown) => expect(answered()).toBeUndefined();
  const isRefused = (answered: () => unknown) => expect.poll(answered).toBe('RATE_LIMITED');

  test('over the limit of the caller', async () => {
    const person = await member();
    const ask = () => strict.call(person, 'GET /api/states');
    await ask();
    await expectUnderLock('states', ask, waits);
    await ask();
    await expectUnderLock('states', ask, isRefused);
  });

  test('over the limit of calls to the identity provider', async () => {
    const { service } = await world.tenant();
    const ask = () => strict.call(service, 'POST /service/users', { ...world.newPerson(), persona: 'viewer' });
    await strict.call(service, 'GET /service/cooperatives');
    await expectUnderLock('users', ask, waits);
    await expectUnderLock('users', ask, isRefused);
  });
});
