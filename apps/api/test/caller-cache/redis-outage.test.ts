import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { startRedis, type TestRedis } from '../../../../test/redis.ts';
import { type Api, createApi } from '../support/api.ts';
import type { Person, Tenant } from '../support/people.ts';
import { type ServiceProcess, startProcess } from '../support/process.ts';
import { startWorld, type World } from '../support/world.ts';
import { arrival, namesAt, rememberedAt } from './memory.ts';

const program = inject('redisServer');
const [down, up] = ['cache is down', 'cache is up again'];

describe.skipIf(!program)('two instances whose Redis', { timeout: 120_000 }, () => {
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
  /** What the instances say of their Redis, each for itself. */
  const told = () => services.map(({ log }) => log.map(({ msg }) => msg).filter((msg) => msg === down || msg === up));
  const rename = (api: Api, name: string) => api.call(world.global, `PUT /api/users/${person.id}`, { name });

  /** Changes at either are known at both, whatever the Redis does. */
  async function workAsEver(): Promise<void> {
    for (const [index, api] of [...instances, ...instances].entries()) {
      const name = `Name ${index}`;
      expect((await rename(api, name)).status).toBe(200);
      expect(await namesAt(person, api)).toEqual([name]);
      await expect.poll(() => namesAt(person, ...instances), arrival).toEqual([name, name]);
    }
    for (let index = 0; index < 20; index += 1) expect(await namesAt(person, ...instances)).toEqual(['Name 3', 'Name 3']);
  }

  test.each(['keep', 'lose'] as const)('ends and comes back (data: %s) answer right all the while', async (data) => {
    await start();
    await rememberedAt(world, person, ...instances);
    await redis.stop(data);
    await workAsEver();
    await redis.start();
    await expect.poll(told, arrival).toEqual([
      [down, up],
      [down, up],
    ]);
    expect(await namesAt(person, ...instances)).toEqual(['Name 3', 'Name 3']);
    await workAsEver();
    expect(told().flat()).toHaveLength(4);
  });

  test('hangs answer right all the while', async () => {
    await start();
    await rememberedAt(world, person, ...instances);
    redis.pause();
    await workAsEver();
    redis.resume();
    await expect.poll(told, arrival).toEqual([
      [down, up],
      [down, up],
    ]);
    await workAsEver();
  });

  test('is not there yet start and work, and use it once it is there', async () => {
    await redis.stop('lose');
    await start();
    await workAsEver();
    await expect.poll(told, arrival).toEqual([[down], [down]]);
    const health = async () =>
      ((await (await fetch(`${services[0]?.url}/health/ready`)).json()) as { checks: { cache: string } }).checks.cache;
    expect(await health()).toBe('down');
    await redis.start();
    await expect.poll(told, arrival).toEqual([
      [down, up],
      [down, up],
    ]);
    await expect.poll(health, arrival).toBe('ok');
    await workAsEver();
  });

  test('hangs from the start start and work', async () => {
    redis.pause();
    await start();
    await workAsEver();
    await expect.poll(told, arrival).toEqual([[down], [down]]);
    redis.resume();
    await expect.poll(told, arrival).toEqual([
      [down, up],
      [down, up],
    ]);
  });
});
