import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { CallerCache, RedisConnection, RedisVersionError, SharedCache } from '../src/index.ts';
import { type FakeRedis, startFakeRedis } from './fake-redis.ts';

const arrival = { timeout: 20_000, interval: 20 };
const ttlSeconds = 300;

let redis: FakeRedis;
let connection: RedisConnection;
let states: (string | true)[];
let cache: CallerCache;

async function connectTo(version: string): Promise<void> {
  redis = await startFakeRedis(version);
  states = [];
  connection = new RedisConnection({ url: redis.url, onState: (up, error) => states.push(up || String(error?.message)) });
  const shared = new SharedCache({ redis: connection, ttlSeconds });
  cache = new CallerCache({ ttlSeconds, trusted: () => true, shared });
  await vi.waitFor(() => expect(states).toHaveLength(1), arrival);
}
afterEach(async () => {
  connection.close();
  await redis.stop();
});

const tooOld = 'Redis 6.2 is too old: 7.0 or later is required';

describe('a Redis 6.2', () => {
  test('is reported once as too old, and callers are loaded without it', async () => {
    await connectTo('6.2.14');
    // Connections that failed are prepared again after a second.
    for (const wait of [0, 1_200, 1_200]) {
      await pause(wait);
      expect(await cache.get({ sub: 'a-person', context: `context ${wait}`, unknownContext: 'user' }, async () => ({ found: wait }))).toEqual({ found: wait });
    }
    expect(states).toEqual([tooOld]);
    expect(redis.commands).not.toContain('SET');
    await expect(connection.check()).rejects.toThrow(new RedisVersionError(tooOld));
  });

  test('is asked for its version once per connection, and used after an upgrade', async () => {
    await connectTo('6.2.14');
    redis.version = '7.0.0';
    // One INFO is ioredis' own check of a new connection.
    await pause(1_200);
    expect(redis.commands.filter((name) => name === 'INFO')).toHaveLength(2);
    redis.disconnect();
    await vi.waitFor(() => expect(states).toEqual([tooOld, true]), arrival);
    await expect(connection.check()).resolves.toBeUndefined();
  });
});

test.each(['7.0.0', '7.4.2', '8.2.1', '10.0.0', 'unstable'])('version %s is accepted', async (version) => {
  await connectTo(version);
  expect(states).toEqual([true]);
  expect(redis.commands).toContain('SET');
});
