import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { startRedis, type TestRedis } from '../../../../test/redis.ts';
import { type Api, createApi } from '../support/api.ts';
import type { Person, Tenant } from '../support/people.ts';
import { type ServiceProcess, startProcess } from '../support/process.ts';
import { startWorld, type World } from '../support/world.ts';
import { arrival, namesAt, rememberedAt } from './memory.ts';

const program = inject('redisServer');
const [away, back] = ['redis is away: going on without it', 'redis answers'];

describe.skipIf(!program)('two instances answer correctly while Redis', { timeout: 120_000 }, () => {
  let world: World;
  let tenant: Tenant;
  let redis: TestRedis;
  let services: ServiceProcess[];
  let instances: [Api, Api];
  let person: Person;

  beforeAll(async () => {
    world = await startWorld();
    tenant = await world.tenant();
  });
  beforeEach(async () => {
    redis = await startRedis(program ?? '');
    services = [];
    person = await world.person({ [tenant.id]: 'viewer' });
  });
  afterEach(async () => {
    await Promise.all(services.map((service) => service.stop()));
    await redis.remove();
  });
  afterAll(() => world.stop());

  async function start(): Promise<void> {
    const environment = { ...world.environment, REDIS_URL: redis.url };
    services = await Promise.all([startProcess(environment), startProcess(environment)]);
    instances = services.map(({ url }) => createApi(url)) as [Api, Api];
  }
  /** The log messages of each instance about Redis. */
  const told = () => services.map(({ log }) => log.map(({ msg }) => msg).filter((msg) => msg === away || msg === back));
  const rename = (api: Api, name: string) => api.call(world.global, `PUT /api/users/${person.id}`, { name });

  /** Checks that changes at either instance are known at both. */
  async function workAsEver(): Promise<void> {
    for (const [index, api] of instances.entries()) {
      const name = `Name ${index}`;
      expect((await rename(api, name)).status).toBe(200);
      expect(await namesAt(person, api)).toEqual([name]);
      await expect.poll(() => namesAt(person, ...instances), arrival).toEqual([name, name]);
    }
    for (let index = 0; index < 10; index += 1) expect(await namesAt(person, ...instances)).toEqual(['Name 1', 'Name 1']);
  }

  test.each(['keep', 'lose'] as const)('stops and restarts (data: %s)', async (data) => {
    await start();
    await rememberedAt(world, person, ...instances);
    await redis.stop(data);
    await workAsEver();
    await redis.start();
    await expect.poll(told, arrival).toEqual([
      [back, away, back],
      [back, away, back],
    ]);
    expect(await namesAt(person, ...instances)).toEqual(['Name 1', 'Name 1']);
    await workAsEver();
    expect(told().flat()).toHaveLength(6);
  });

  test('hangs', async () => {
    await start();
    await rememberedAt(world, person, ...instances);
    redis.pause();
    await workAsEver();
    redis.resume();
    await expect.poll(told, arrival).toEqual([
      [back, away, back],
      [back, away, back],
    ]);
    await workAsEver();
  });

  test('is not reachable at start, and use it when it is', async () => {
    await redis.stop('lose');
    await start();
    await workAsEver();
    await expect.poll(told, arrival).toEqual([[away], [away]]);
    const health = async () =>
      ((await (await fetch(`${services[0]?.url}/health/ready`)).json()) as { checks: { cache: string } }).checks.cache;
    expect(await health()).toBe('down');
    await redis.start();
    await expect.poll(told, arrival).toEqual([
      [away, back],
      [away, back],
    ]);
    await expect.poll(health, arrival).toBe('ok');
    await workAsEver();
  });

  test('hangs from the start', async () => {
    redis.pause();
    await start();
    await workAsEver();
    await expect.poll(told, arrival).toEqual([[away], [away]]);
    redis.resume();
    await expect.poll(told, arrival).toEqual([
      [away, back],
      [away, back],
    ]);
  });
});
