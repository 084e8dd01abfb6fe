import { Redis } from 'ioredis';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, inject, test, vi } from 'vitest';
import { startRedis } from '../../../test/redis.ts';
import { RedisConnection, RedisVersionError } from '../src/index.ts';
import { assertRedisVersion } from '../src/redis-version.ts';

const tooOld = 'Redis 6.2 is too old: 7.0 or later is required';
const reporting = (version: string) => ({ info: async () => `# Server\r\nredis_version:${version}\r\n` }) as unknown as Redis;

test.each(['7.0.0', '7.4.2', '10.0.0', 'unstable'])('version %s is accepted', async (version) => {
  await expect(assertRedisVersion(reporting(version))).resolves.toBeUndefined();
});

test('version 6.2.14 is rejected', async () => {
  await expect(assertRedisVersion(reporting('6.2.14'))).rejects.toThrow(new RedisVersionError(tooOld));
});

const program = inject('redisServer');

test.skipIf(!program)('a Redis that is too old is asked once per connection, and used after an upgrade', async () => {
  const redis = await startRedis(program ?? '');
  const states: (string | true)[] = [];
  let [version, asked] = ['6.2.14', 0];
  const { info } = Redis.prototype;
  vi.spyOn(Redis.prototype, 'info').mockImplementation(function (this: Redis, ...args: unknown[]) {
    // ioredis asks a new connection for all sections, the service for one.
    if (args[0] !== 'server') return info.apply(this, args as []);
    asked += 1;
    return reporting(version).info();
  });
  const connection = await RedisConnection.open({ url: redis.url, onState: (up, error) => states.push(up || String(error?.message)) });
  await expect(connection.check()).rejects.toThrow(new RedisVersionError(tooOld));
  expect(await connection.attempt('ping', (client) => client.ping())).toBeUndefined();
  version = '7.0.0';
  // Longer than the time after which a failed connection is tried again.
  await delay(1_200);
  expect([states, asked]).toEqual([[tooOld], 1]);
  await redis.stop('keep');
  await redis.start();
  await expect.poll(() => states.at(-1)).toBe(true);
  connection.close();
  vi.restoreAllMocks();
  await redis.remove();
});
