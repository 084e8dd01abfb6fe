import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { startRedis, type TestRedis } from '../../../../test/redis.ts';
import { createApi } from '../support/api.ts';
import type { Person, Tenant } from '../support/people.ts';
import { startWorld, type World } from '../support/world.ts';
import { arrival, cacheOutdatedName, namesAt } from './cached-names.ts';

const program = inject('redisServer');

let world: World;
let tenant: Tenant;
let redis: TestRedis;
const outages = {
  stops: { begin: () => redis.stop('keep'), end: () => redis.start() },
  hangs: { begin: async () => redis.pause(), end: async () => redis.resume() },
};

/** Two instances with the same Redis. */
const startInstances = async () => {
  const services = await Promise.all([1, 2].map(() => world.another({ REDIS_URL: redis.url })));
  return services.map(({ url }) => ({ url, ...createApi(url) }));
};
type Instances = Awaited<ReturnType<typeof startInstances>>;

/** Whether Redis is available, as each instance reports it. */
const redisStates = (instances: Instances) =>
  Promise.all(
    instances.map(async ({ url }) => {
      const { checks } = (await (await fetch(`${url}/health/ready`)).json()) as { checks: { cache: string } };
      return checks.cache;
    }),
  );

/** Changes the person at each instance. Expects that both instances return the change, and never an older state after it. */
async function expectChangesToApply(person: Person, instances: Instances): Promise<void> {
  for (const [index, changing] of instances.entries()) {
    const name = `Name ${index} ${performance.now()}`;
    expect((await changing.call(world.global, `PUT /api/users/${person.id}`, { name })).status).toBe(200);
    expect(await namesAt(person, changing)).toEqual([name]);
    await expect.poll(() => namesAt(person, ...instances), arrival).toEqual([name, name]);
    for (let repetition = 0; repetition < 3; repetition += 1) expect(await namesAt(person, ...instances)).toEqual([name, name]);
  }
}

describe.skipIf(!program)('changes of callers apply at two instances', () => {
  beforeAll(async () => {
    world = await startWorld();
    tenant = await world.tenant();
    redis = await startRedis(program ?? '');
  });
  afterAll(async () => {
    await world.stop();
    await redis.remove();
  });

  describe.each(Object.entries(outages))('while their Redis %s, and after it', (_name, { begin, end }) => {
    async function duringOutage(work: () => Promise<void>): Promise<void> {
      await begin();
      try {
        await work();
      } finally {
        await end();
      }
    }

    test('if the instances have used Redis before', async () => {
      const [person, instances] = [await world.person({ [tenant.id]: 'viewer' }), await startInstances()];
      await expect.poll(() => redisStates(instances), arrival).toEqual(['ok', 'ok']);
      await cacheOutdatedName(world, person, ...instances);
      await duringOutage(async () => {
        await expectChangesToApply(person, instances);
        await expect.poll(() => redisStates(instances), arrival).toEqual(['down', 'down']);
        await expectChangesToApply(person, instances);
      });
      await expect.poll(() => redisStates(instances), arrival).toEqual(['ok', 'ok']);
      await expectChangesToApply(person, instances);
    });

    test('if the instances start during the outage', async () => {
      const person = await world.person({ [tenant.id]: 'viewer' });
      let instances: Instances = [];
      await duringOutage(async () => {
        instances = await startInstances();
        await expectChangesToApply(person, instances);
        await expect.poll(() => redisStates(instances), arrival).toEqual(['down', 'down']);
      });
      await expect.poll(() => redisStates(instances), arrival).toEqual(['ok', 'ok']);
      await expectChangesToApply(person, instances);
    });
  });
});
