import { generateKeyPair, SignJWT } from 'jose';
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import { startRedis, type TestRedis } from '../../../test/redis.ts';
import { type Issuer, isProgrammingError, RedisConnection, TokenVerifier } from '../src/index.ts';

const bug = new TypeError('x is not a function');

test.each([
  [bug, true],
  [new RangeError('Invalid array length'), true],
  [new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') }), false],
  [new Error('Connection is closed.'), false],
  [new SyntaxError('Unexpected token'), false],
])('%s is a bug: %s', (error, expected) => {
  expect(isProgrammingError(error)).toBe(expected);
});

test('an unusable key of the provider does not make a token invalid', async () => {
  const { privateKey } = await generateKeyPair('ES256');
  const token = await new SignJWT({ sub: 'a-person' }).setProtectedHeader({ alg: 'ES256' }).setExpirationTime('1h').sign(privateKey);
  const key = () => Promise.reject(bug);
  const verifier = new TokenVerifier({ issuer: { url: 'http://issuer', keys: undefined, key } as unknown as Issuer, clientId: 'a' });
  await expect(verifier.verify(token)).rejects.toBe(bug);
});

const program = inject('redisServer');

describe.skipIf(!program)('on Redis', () => {
  let redis: TestRedis;
  let connection: RedisConnection;
  let states: boolean[];
  beforeAll(async () => (redis = await startRedis(program ?? '')));
  afterEach(() => connection.close());
  afterAll(() => redis.remove());

  async function connect(): Promise<void> {
    states = [];
    connection = await RedisConnection.open({ url: redis.url, onState: (up) => states.push(up) });
  }

  test('a bug in an operation passes unchanged, and is no outage', async () => {
    await connect();
    await connection.check();
    await expect(connection.attempt('count request', () => Promise.reject(bug))).rejects.toBe(bug);
    expect([connection.up, states]).toEqual([true, [true]]);
  });
});
