import { Redis } from 'ioredis';
import { describe, expect, inject, test } from 'vitest';
import { asInCompose, startRedis, type TestRedis } from '../../../../test/redis.ts';
import { type Api, createApi } from '../support/api.ts';
import type { Person } from '../support/people.ts';
import { type Proxy, startProxy } from '../../../../test/proxy.ts';
import { useTenant } from '../support/use-people.ts';
import { useWorld } from '../support/world.ts';
import { arrival } from './cached-names.ts';

const program = inject('redisServer');

const world = useWorld();
const tenant = useTenant(world);
/** The servers before and after a failover, and the address at which the instances reach one of them. */
let redis: TestRedis;
let other: TestRedis;
let proxy: Proxy;

interface Fault {
  /** Runs when all callers are cached, before the first of them loses their permissions. */
  prepare?: () => Promise<void>;
  begin: () => Promise<void>;
  end?: () => Promise<void>;
}

const command = async (server: TestRedis, ...words: [string, ...string[]]) => {
  const client = new Redis(server.url);
  await client.call(...words);
  client.disconnect();
};
const faults: Record<string, Fault> = {
  'restarts without its data': { begin: () => redis.stop('lose'), end: () => redis.start() },
  'freezes and continues': { begin: async () => redis.pause(), end: async () => redis.resume() },
  'fails over to a server with older data': {
    async prepare() {
      const { hostname, port } = new URL(redis.url);
      await command(other, 'REPLICAOF', hostname, port);
      const client = new Redis(other.url);
      await expect.poll(() => client.info('replication'), arrival).toContain('master_link_status:up');
      expect(await client.dbsize()).toBeGreaterThan(0);
      client.disconnect();
      await command(other, 'REPLICAOF', 'NO', 'ONE');
    },
    async begin() {
      proxy.cut();
      proxy.redirect(other.url);
    },
  },
  'refuses writes for a while': {
    begin: () => command(redis, 'REPLICAOF', '127.0.0.1', '1'),
    end: () => command(redis, 'REPLICAOF', 'NO', 'ONE'),
  },
};

const codeAt = async (api: Api, person: Person) => (await api.call(person, 'GET /api/me/permissions')).code ?? 'accepted';
const repeatedly = async (times: number, work: () => Promise<string>) => {
  const outcomes = new Set<string>();
  for (let time = 0; time < times; time += 1) outcomes.add(await work());
  return [...outcomes];
};

/** Deletes the user at the first instance. Expects that no instance accepts them after it has rejected them once. */
async function expectRevocation(person: Person, [changing, following]: [Api, Api]): Promise<void> {
  expect((await changing.call(world.global, `DELETE /api/users/${person.id}`)).status).toBe(204);
  expect(await repeatedly(10, () => codeAt(changing, person))).toEqual(['USER_NOT_PROVISIONED']);
  await expect.poll(() => codeAt(following, person), arrival).toBe('USER_NOT_PROVISIONED');
  expect(await repeatedly(10, () => codeAt(following, person))).toEqual(['USER_NOT_PROVISIONED']);
}

describe.skipIf(!program)('two instances whose Redis', () => {
  // Rules: CACHE-3
  test.each(Object.entries(faults))('%s use no revoked permission and fail no request', async (_name, fault) => {
    await using cleanUp = new AsyncDisposableStack();
    const startServer = async () => cleanUp.adopt(await startRedis(program ?? '', asInCompose), (server) => server.remove());
    [redis, other] = [await startServer(), await startServer()];
    proxy = cleanUp.adopt(await startProxy(redis.url), (started) => started.stop());
    const services = await Promise.all([1, 2, 3].map(() => world.another({ REDIS_URL: proxy.url })));
    cleanUp.defer(async () => void (await Promise.all(services.map((service) => service.stop()))));
    // The third one has nothing in its process when it is asked at the end, so it shows what Redis has.
    const [first, second, third] = services.map(({ url }) => createApi(url)) as [Api, Api, Api];
    const instances: [Api, Api] = [first, second];
    const person = () => world.person({ [tenant.id]: 'viewer' });
    const [busy, before, during, after] = await Promise.all([person(), person(), person(), person()]);
    const revoked = [before, during, after];
    for (const each of revoked) for (const api of instances) expect(await repeatedly(3, () => codeAt(api, each))).toEqual(['accepted']);
    await fault.prepare?.();

    const outcomes = new Set<string>();
    let isDone = false;
    const load = instances.map(async (api) => {
      while (!isDone) outcomes.add(await codeAt(api, busy));
    });
    cleanUp.defer(async () => {
      isDone = true;
      await Promise.allSettled(load);
    });
    await expectRevocation(before, instances);
    await fault.begin();
    await expectRevocation(during, instances);
    await fault.end?.();
    await expectRevocation(after, instances);
    // All instances use Redis again, and none of its entries restores a permission.
    const caches = () => services.map(({ health }) => health.report().checks.cache);
    await expect.poll(caches, arrival).toEqual(['ok', 'ok', 'ok']);
    for (const each of revoked)
      for (const api of [third, first, second]) expect(await repeatedly(3, () => codeAt(api, each))).toEqual(['USER_NOT_PROVISIONED']);
    isDone = true;
    await Promise.all(load);
    expect([...outcomes]).toEqual(['accepted']);
  });
});
