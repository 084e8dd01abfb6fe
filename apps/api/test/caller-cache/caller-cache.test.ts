import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test, vi } from 'vitest';
import { startRedis, type TestRedis } from '../../../../test/redis.ts';
import { type Api, createApi } from '../support/api.ts';
import type { Tenant } from '../support/people.ts';
import { raceAgainst } from '../support/race.ts';
import type { Permissions } from '../support/records.ts';
import { rpt } from '../support/rpt.ts';
import { useTenant } from '../support/use-people.ts';
import { useWorld } from '../support/world.ts';
import { arrival, cacheOutdatedName, namesAt, notify, rename } from './cached-names.ts';
import { changes } from './changes.ts';

const program = inject('redisServer');

const world = useWorld();
const one = useTenant(world);
const two = useTenant(world);
/** Another instance than the world's own. */
let other: Api;
let redis: TestRedis | undefined;
let admin: pg.Client;
beforeAll(async () => {
  other = createApi((await world.another()).url);
  redis = program ? await startRedis(program) : undefined;
  admin = new pg.Client({ connectionString: inject('postgres').adminUrl });
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await redis?.remove();
});

/** One change for each kind of notification: of users, and of applications that the cache has as known or as unknown. */
const kinds = [
  'a member gets another persona',
  'the tenant of an application is deactivated',
  'a tenant with the client of an application is created',
];

const setups = [
  { setup: 'without Redis', withRedis: [] as number[], tested: Object.keys(changes) },
  { setup: 'with one Redis', withRedis: [0, 1], tested: kinds },
  { setup: 'of which only the changing one has a Redis', withRedis: [0], tested: kinds },
  { setup: 'of which only the other one has a Redis', withRedis: [1], tested: kinds },
];
const possible = setups.filter(({ withRedis }) => program || withRedis.length === 0);

describe.each(possible)('two instances $setup', ({ withRedis, tested }) => {
  let changing: Api;
  let following: Api;
  beforeAll(async () => {
    const start = (index: number) => world.another(withRedis.includes(index) ? { REDIS_URL: redis?.url ?? '' } : {});
    const services = await Promise.all([start(0), start(1)]);
    [changing, following] = services.map(({ url }) => createApi(url)) as [Api, Api];
  });

  // Rules: CACHE-3
  test.each(tested)('apply a change to the next request at one instance, and soon at the other: %s', async (name) => {
    const [read, before, after, change] = await changes[name]!(world);
    const readAt = async (api: Api) => {
      const { code, body } = await api.call(...read);
      return code ?? body;
    };
    for (const api of [changing, following, changing, following]) expect(await readAt(api)).toEqual(before);
    expect((await changing.call(...change)).status).toBeLessThan(300);
    expect(await readAt(changing)).toEqual(after);
    await expect.poll(() => readAt(following), arrival).toEqual(after);
  });

  test.each(['user', 'all'])('apply the notification of another program: %s', async (name) => {
    const person = await cacheOutdatedName(world, await world.person({ [one.id]: 'viewer' }), changing, following);
    await notify(world, name === 'all' ? { all: true } : { sub: [person.subject] });
    await expect.poll(() => namesAt(person, changing, following), arrival).toEqual(['Current', 'Current']);
  });
});

/** Returns the notifications that the work sends, in order. */
async function notificationsOf(work: () => Promise<unknown>): Promise<unknown[]> {
  const listener = new pg.Client({ connectionString: world.databaseUrl });
  onTestFinished(() => listener.end());
  const received: unknown[] = [];
  listener.on('notification', ({ payload = '' }) => received.push(JSON.parse(payload)));
  await listener.connect();
  await listener.query('listen profile_caller_invalidation');
  await work();
  const end = { sub: [randomUUID()] };
  await notify(world, end);
  await expect.poll(() => received, arrival).toContainEqual(end);
  return received.slice(0, -1);
}

const put = async ({ id }: Tenant, body: object) => {
  expect((await world.call(world.global, `PUT /api/tenants/${id}`, body)).status).toBe(200);
};

// Rules: CACHE-3
test('an update of a tenant invalidates nobody, or with another client the applications of both clients, and no member', async () => {
  const tenant = await world.tenant();
  await world.person({ [tenant.id]: 'viewer' });
  const equal = { active: true, identityClientId: tenant.clientId };
  for (const body of [{}, { name: 'New', metadata: { region: 'south' }, allowedScopes: ['reports'] }, equal])
    expect(await notificationsOf(() => put(tenant, body))).toEqual([]);
  const identityClientId = randomUUID();
  expect(await notificationsOf(() => put(tenant, { identityClientId }))).toEqual([{ clientId: [tenant.clientId, identityClientId] }]);
});

test.each<[string, (tenant: Tenant) => Promise<unknown>]>([
  ['deactivated', (tenant) => put(tenant, { active: false })],
  ['deleted', ({ id }) => world.call(world.global, `DELETE /api/tenants/${id}`)],
])('a tenant that is %s invalidates its members and its applications, and no caller of another tenant', async (_name, change) => {
  const [tenant, another] = [await world.tenant(), await world.tenant()];
  const member = await world.person({ [tenant.id]: 'viewer' });
  const stranger = await cacheOutdatedName(world, await world.person({ [another.id]: 'viewer' }), world, other);
  expect(await notificationsOf(() => change(tenant))).toEqual([{ sub: [member.subject] }, { clientId: [tenant.clientId] }]);
  expect(await namesAt(stranger, world, other)).toEqual(['Outdated', 'Outdated']);
});

test('a user who becomes a member while the tenant is deactivated has no access', async () => {
  const tenant = await world.tenant();
  const person = await world.person();
  const read = async () => {
    const { code, status } = await world.call({ ...person, tenant: tenant.id }, 'GET /api/states');
    return code ?? status;
  };
  await raceAgainst(
    world,
    ['select id from tenants where id = $1 for share', [tenant.id]],
    () => put(tenant, { active: false }),
    async () => {
      await world.sql("insert into memberships (user_id, tenant_id, persona) values ($1, $2, 'viewer')", [person.id, tenant.id]);
      expect(await read()).toBe(200);
    },
  );
  expect(await read()).toBe('TENANT_NOT_ALLOWED');
});

const database = () => new URL(world.databaseUrl).pathname.slice(1);
/** Whether the database accepts new connections. Existing ones stay. */
const allowConnections = (allowed: boolean) =>
  admin.query(`alter database ${pg.escapeIdentifier(database())} allow_connections ${String(allowed)}`);

// Rules: CACHE-4
test('an instance without its notification channel uses no cached caller until the channel is back, and then none from before', async () => {
  const person = await cacheOutdatedName(world, await world.person({ [one.id]: 'viewer' }), world, other);

  await allowConnections(false);
  try {
    const channels = 'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and application_name = $2';
    await admin.query(channels, [database(), 'profile-service-changes']);
    await expect.poll(() => namesAt(person, world, other), arrival).toEqual(['Current', 'Current']);
    for (const name of ['First', 'Second']) {
      await rename(world, person, name);
      expect(await namesAt(person, world, other)).toEqual([name, name]);
    }
  } finally {
    await allowConnections(true);
  }
  let count = 0;
  const isCachedAgain = async () => {
    const name = `Later ${(count += 1)}`;
    await rename(world, person, name);
    const names = await namesAt(person, world, other);
    expect(names).not.toContain('Outdated');
    return names.every((found) => found !== name);
  };
  await vi.waitUntil(isCachedAgain, arrival);
});

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
  const short = createApi((await world.another({ USER_CACHE_TTL_SECONDS: '1' })).url);
  const person = await cacheOutdatedName(world, await world.person({ [one.id]: 'viewer' }), world, short);
  const newer = { ...person, token: await world.tokenOf({ sub: person.subject }) };
  const ofOtherClient = { ...person, token: await world.tokenOf({ sub: person.subject, azp: 'mobile' }) };
  await expect.poll(() => namesAt(person, short), arrival).toEqual(['Current']);
  expect([...(await namesAt(newer, world)), ...(await namesAt(ofOtherClient, world))]).toEqual(['Outdated', 'Current']);
});
