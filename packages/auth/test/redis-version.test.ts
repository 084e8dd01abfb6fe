import { afterEach, describe, expect, test, vi } from 'vitest';
import { CallerCache, RedisConnection, RedisVersionError, SharedCache } from '../src/index.ts';
import { type FakeRedis, startFakeRedis } from './fake-redis.ts';

const arrival = { timeout: 20_000, interval: 20 };
const ttlSeconds = 300;
/** Longer than the time after which a failed connection is tried again. */
const retryMs = 1_200;

let redis: FakeRedis;
let connection: RedisConnection;
let states: (string | true)[];
let cache: CallerCache;

async function connectTo(version: string): Promise<void> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  redis = await startFakeRedis(version);
  states = [];
  connection = await RedisConnection.open({ url: redis.url, onState: (up, error) => states.push(up || String(error?.message)) });
  const shared = new SharedCache({ redis: connection, ttlSeconds });
  cache = new CallerCache({ ttlSeconds, trusted: () => true, shared });
  await vi.waitFor(() => expect(states).toHaveLength(1), arrival);
}
afterEach(async () => {
  vi.useRealTimers();
  connection.close();
  await redis.stop();
});

const tooOld = 'Redis 6.2 is too old: 7.0 or later is required';

/** Lets the time of a retry pass, and waits until the server has received everything. */
async function passRetryTime(): Promise<void> {
  await vi.advanceTimersByTimeAsync(retryMs);
  await connection.client.ping();
}

describe('a Redis 6.2', () => {
  test('is reported once as too old, and callers are loaded without it', async () => {
    await connectTo('6.2.14');
    for (const context of ['a', 'b', 'c']) {
      const key = { sub: 'a-person', context, unknownContext: 'user' };
      expect(await cache.get(key, async () => ({ found: context }))).toEqual({ found: context });
      await passRetryTime();
    }
    expect(states).toEqual([tooOld]);
    expect(redis.commands).not.toContain('SET');
    await expect(connection.check()).rejects.toThrow(new RedisVersionError(tooOld));
  });

  test('is asked for its version once per connection, and used after an upgrade', async () => {
    await connectTo('6.2.14');
    redis.version = '7.0.0';
    await passRetryTime();
    // ioredis sends one INFO on a new connection, the service the other.
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
