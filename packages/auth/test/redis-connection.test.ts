import { Redis } from 'ioredis';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, inject, test, vi } from 'vitest';
import { startRedis, type TestRedis } from '../../../test/redis.ts';
import { isProgrammingError, RedisConnection, RedisVersionError } from '../src/index.ts';
import { assertRedisVersion } from '../src/redis-version.ts';

const bug = new TypeError('x is not a function');
const tooOld = 'Redis 6.2 is too old: 7.0 or later is required';
const reporting = (version: string) => ({ info: async () => `# Server\r\nredis_version:${version}\r\n` }) as unknown as Redis;

test.each([
  [bug, true],
  [new RangeError('Invalid array length'), true],
  [new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') }), false],
  [new Error('Connection is closed.'), false],
  [new SyntaxError('Unexpected token'), false],
])('%s is a bug: %s', (error, expected) => expect(isProgrammingError(error)).toBe(expected));

test('version 7 or later is required', async () => {
  for (const version of ['7.0.0', '10.0.0', 'unstable']) await assertRedisVersion(reporting(version));
  await expect(assertRedisVersion(reporting('6.2.14'))).rejects.toThrow(new RedisVersionError(tooOld));
});

const program = inject('redisServer');

describe.skipIf(!program)('a connection', () => {
  let redis: TestRedis;
  let connection: RedisConnection;
  let states: (string | true)[];
  beforeEach(async () => (redis = await startRedis(program ?? '')));
  afterEach(async () => {
    connection.close();
    vi.restoreAllMocks();
    await redis.remove();
  });

  async function connect(): Promise<void> {
    states = [];
    connection = await RedisConnection.open({ url: redis.url, onState: (up, error) => states.push(up || String(error?.message)) });
  }

  test('passes a bug in an operation unchanged, and reports no outage', async () => {
    await connect();
    await connection.check();
    await expect(connection.attempt('count request', () => Promise.reject(bug))).rejects.toBe(bug);
    expect([connection.up, states]).toEqual([true, [true]]);
  });

  test('asks a Redis that is too old once, and uses it after an upgrade', async () => {
    let [version, asked] = ['6.2.14', 0];
    const { info } = Redis.prototype;
    vi.spyOn(Redis.prototype, 'info').mockImplementation(function (this: Redis, ...args: unknown[]) {
      // ioredis asks a new connection for all sections, the service for one.
      if (args[0] !== 'server') return info.apply(this, args as []);
      asked += 1;
      return reporting(version).info();
    });
    await connect();
    await expect(connection.check()).rejects.toThrow(new RedisVersionError(tooOld));
    expect(await connection.attempt('ping', (client) => client.ping())).toBeUndefined();
    version = '7.0.0';
    // Longer than the time after which a failed connection is tried again.
    await delay(1_200);
    expect([states, asked]).toEqual([[tooOld], 1]);
    await redis.stop('keep');
    await redis.start();
    await expect.poll(() => states.at(-1)).toBe(true);
  });
});
