import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { startRedis } from '../../../../../test/redis.ts';
import { createApi } from '../../support/api.ts';
import { type Collector, outlineOf, spansNamed } from '../../support/collector.ts';
import { startTracedWorld } from '../../support/traced-world.ts';
import type { World } from '../../support/world.ts';

const redisServer = inject('redisServer');

let world: World;
let collector: Collector;
let stop: () => Promise<void>;
beforeAll(async () => ({ world, collector, stop } = await startTracedWorld()));
afterAll(() => stop());
beforeEach(() => collector.spans.splice(0));

test('a request whose token needs another key has a span of the fetch', async () => {
  const { url } = await world.another(collector.settings);
  await world.identity.rotateKey();
  const token = await world.tokenOf({ sub: world.identity.users()[0]?.id ?? '' });
  await createApi(url).call({ token }, 'GET /api/apps');
  const [authenticate] = spansNamed(await collector.trace('GET /api/apps'), 'authenticate');
  expect(authenticate && outlineOf(authenticate)).toEqual(['identity keys']);
});

test.skipIf(redisServer === null)('a request has spans of the operations of Redis', async () => {
  const redis = await startRedis(redisServer ?? '');
  const service = await world.another({ ...collector.settings, REDIS_URL: redis.url });
  const spansOfLoad = async () => {
    collector.spans.splice(0);
    await createApi(service.url).call(world.global, 'GET /api/apps');
    const [load] = spansNamed(await collector.trace('GET /api/apps'), 'load-caller');
    return load && outlineOf(load);
  };
  // The service does not use the cache before its LISTEN connection is there.
  await expect.poll(spansOfLoad).toEqual(['redis read caller', 'SELECT users', 'redis write caller']);
  await service.stop();
  await redis.remove();
});
