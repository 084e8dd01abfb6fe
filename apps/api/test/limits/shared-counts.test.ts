import type { RedisConnection } from '@profile-service/auth';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { startRedis, type TestRedis } from '../../../../test/redis.ts';
import { RateLimit } from '../../src/request/limits/rate-limit.ts';
import type { Actor, Api } from '../support/api.ts';
import { startWorld, type World } from '../support/world.ts';

const program = inject('redisServer');
const quota = 60;
/** Longer than a test. */
const windowSeconds = 3600;

describe.skipIf(!program)('with one Redis', () => {
  let redis: TestRedis;
  let client: Redis;
  /** Whether the instances reach Redis. */
  let isUp: boolean;
  beforeAll(async () => {
    redis = await startRedis(program ?? '');
    client = new Redis(redis.url);
  });
  beforeEach(async () => {
    isUp = true;
    await client.flushall();
  });
  afterAll(async () => {
    client.disconnect();
    await redis.remove();
  });

  describe('two rate limits', () => {
    /** Has no time limit for commands, unlike the connection of the service: a busy machine is no outage. */
    const connection = {
      attempt: async (_name: string, operation: (to: Redis) => Promise<unknown>) => (isUp ? operation(client) : undefined),
    };
    const createLimit = (isExact = false) => {
      const shared = Object.assign(connection, { client }) as unknown as RedisConnection;
      return new RateLimit({ name: isExact ? 'identity' : 'caller', quota, windowSeconds, redis: shared, isExact });
    };
    const createLimits = (isExact?: boolean) => [createLimit(isExact), createLimit(isExact)];
    const isOver = async (limit: RateLimit, key = 'key') => (await limit.count(key)).isOver;
    /** The number of requests that the limits accept, when each gets as many of them in turn. */
    async function accepted(limits: readonly RateLimit[], requests: number): Promise<number> {
      let count = 0;
      for (let index = 0; index < requests; index += 1) {
        for (const limit of limits) if (!(await isOver(limit))) count += 1;
        // Redis runs the commands of a client in their order: the counts that the limits share in the background have arrived then.
        await client.ping();
      }
      return count;
    }

    test('share the count of each key, which Redis keeps for the window', async () => {
      const limits = createLimits();
      const count = await accepted(limits, quota);
      // Separate limits would accept 120.
      expect(count).toBeGreaterThanOrEqual(quota);
      expect(count).toBeLessThan(quota + 20);
      expect(await Promise.all(limits.map((limit) => isOver(limit)))).toEqual([true, true]);
      expect(await Promise.all(limits.map((limit) => isOver(limit, 'another key')))).toEqual([false, false]);
      const keys = await client.keys('rate_limit:*');
      expect(keys).toContain('rate_limit:caller:key');
      for (const key of keys) expect(await client.ttl(key)).toBeGreaterThan(0);
    });

    test.each([false, true])('count separately while Redis is down, and share their counts afterwards (exact: %s)', async (isExact) => {
      isUp = false;
      expect(await accepted(createLimits(isExact), quota)).toBe(2 * quota);
      isUp = true;
      const count = await accepted(createLimits(isExact), quota);
      expect(count).toBeLessThan(isExact ? quota + 1 : quota + 20);
    });
  });

  describe('two instances', () => {
    let world: World;
    let instances: Api[];
    beforeAll(async () => {
      world = await startWorld();
      const settings = { RATE_LIMIT_CALLER_PER_SECOND: '20', RATE_LIMIT_IDENTITY_PER_SECOND: '3', REDIS_URL: redis.url };
      const start = () => world.another(settings, { limitWindowSeconds: windowSeconds });
      instances = [await start(), await start()];
    });
    afterAll(() => world.stop());
    afterEach(() => client.flushall());

    const requests: [what: string, send: (api: Api, actor: Actor) => Promise<{ status: number }>, limit: number][] = [
      ['requests', (api, actor) => api.call(actor, 'GET /api/me/tenants'), 20],
      ['calls to the identity provider', (api, actor) => api.call(actor, 'POST /api/users', world.newPerson()), 3],
    ];
    test.each(requests)('share the limit of %s', async (_what, send, limit) => {
      /** The number of accepted requests of a new caller at both instances together. */
      const accepted = async () => {
        const actor = await world.person({}, { type: 'Global' });
        let count = 0;
        for (let index = 0; index < limit; index += 1) for (const api of instances) if ((await send(api, actor)).status !== 429) count += 1;
        return count;
      };
      // On a busy machine a command to Redis can reach its time limit. The instances then count separately for a moment.
      await expect.poll(accepted).toBeLessThan(2 * limit);
    });
  });
});
