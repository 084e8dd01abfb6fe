import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { startRedis, type TestRedis } from '../../../test/redis.ts';
import { CallerCache, RedisConnection, SharedCache } from '../src/index.ts';

const keyOf = (sub: string, context: string) => ({ sub, context, unknownContext: 'user' });

const program = inject('redisServer');
const ttlSeconds = 300;
const arrival = { timeout: 20_000, interval: 20 };

/** The cache parts of an instance of the service. */
interface Instance {
  connection: RedisConnection;
  cache: CallerCache;
  outcomes: string[];
  states: boolean[];
}

describe.skipIf(!program)('on a Redis', () => {
  let redis: TestRedis;
  let inspector: Redis;
  const instances: Instance[] = [];

  beforeAll(async () => {
    redis = await startRedis(program ?? '');
    inspector = new Redis(redis.url, { retryStrategy: () => 50 });
    inspector.on('error', () => undefined);
  });
  afterEach(async () => {
    vi.useRealTimers();
    for (const { connection } of instances.splice(0)) connection.close();
    await inspector.flushall();
  });
  afterAll(async () => {
    inspector.disconnect();
    await redis.remove();
  });

  async function instance(seconds = ttlSeconds): Promise<Instance> {
    const [outcomes, states]: [string[], boolean[]] = [[], []];
    const connection = new RedisConnection({ url: redis.url, onState: (up) => states.push(up) });
    const shared = new SharedCache({ redis: connection, ttlSeconds: seconds });
    const cache = new CallerCache({ ttlSeconds: seconds, trusted: () => true, shared, onLookup: (outcome) => outcomes.push(outcome) });
    const made = { connection, cache, outcomes, states };
    instances.push(made);
    await vi.waitFor(() => expect(connection.up).toBe(true), arrival);
    return made;
  }

  /** The stored context of the person, so that a test can write it again later. */
  async function writtenBy(load: () => Promise<unknown>): Promise<string> {
    await load();
    return (await inspector.hget('user_auth:a-person', 'a')) ?? '';
  }

  const found = (value: string) => async () => ({ found: value });

  test('a context that one instance has loaded is used by the others', async () => {
    const [one, other] = [await instance(), await instance()];
    await one.cache.get(keyOf('a-person', 'a'), found('old'));
    expect(await other.cache.get(keyOf('a-person', 'a'), found('new'))).toEqual({ found: 'old' });
    expect(await other.cache.get(keyOf('a-person', 'b'), found('new'))).toEqual({ found: 'new' });
    expect(other.outcomes).toEqual(['shared', 'miss']);
  });

  test.each([[{ sub: ['a-person'] }], [{ all: true as const }]])('a change %j of one instance applies to all', async (change) => {
    const [one, other, third] = [await instance(), await instance(), await instance()];
    await one.cache.get(keyOf('a-person', 'a'), found('old'));
    await other.cache.invalidate(change);
    expect(await third.cache.get(keyOf('a-person', 'a'), found('new'))).toEqual({ found: 'new' });
    expect(await other.cache.get(keyOf('a-person', 'a'), found('newer'))).toEqual({ found: 'new' });
  });

  test('a load that began before a change is not stored', async () => {
    const [one, other] = [await instance(), await instance()];
    const { promise: hold, resolve: release } = Promise.withResolvers<void>();
    const begun = vi.fn<() => Promise<{ found: string }>>(async () => {
      await hold;
      return { found: 'old' };
    });
    const before = one.cache.get(keyOf('a-person', 'a'), begun);
    await vi.waitFor(() => expect(begun).toHaveBeenCalled(), arrival);
    await other.cache.invalidate({ sub: ['a-person'] });
    release();
    await before;
    expect(await other.cache.get(keyOf('a-person', 'a'), found('new'))).toEqual({ found: 'new' });
  });

  describe.each([
    ['user_auth_epoch', { all: true as const }],
    ['user_auth_version:a-person', { sub: ['a-person'] }],
  ])('%s that Redis loses', (key, change) => {
    /** Deletes keys as a full Redis does. */
    const lose = () => inspector.del(key);

    test('invalidates the stored contexts', async () => {
      const [one, other] = [await instance(), await instance()];
      await lose();
      await one.cache.get(keyOf('a-person', 'a'), found('old'));
      await lose();
      expect(await other.cache.get(keyOf('a-person', 'a'), found('new'))).toEqual({ found: 'new' });
      expect(other.outcomes).toEqual(['miss']);
    });

    test('does not restore contexts that a change invalidated', async () => {
      const [one, other, third] = [await instance(), await instance(), await instance()];
      await lose();
      const held = await writtenBy(async () => one.cache.get(keyOf('a-person', 'a'), found('old')));
      await other.cache.invalidate(change);
      await inspector.hset('user_auth:a-person', 'a', held);
      await lose();
      expect(await third.cache.get(keyOf('a-person', 'a'), found('new'))).toEqual({ found: 'new' });
    });

    test('is created again by the next reader', async () => {
      const [one, other] = [await instance(), await instance()];
      await lose();
      await one.cache.get(keyOf('a-person', 'a'), found('first'));
      expect(await other.cache.get(keyOf('a-person', 'a'), found('second'))).toEqual({ found: 'first' });
    });
  });

  test('a context from Redis expires as it would there', async () => {
    const [one, other] = [await instance(), await instance()];
    await one.cache.get(keyOf('a-person', 'a'), found('old'));
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + (ttlSeconds - 1) * 1000 });
    await other.cache.get(keyOf('a-person', 'a'), found('new'));
    expect(other.outcomes).toEqual(['shared']);
    vi.setSystemTime(Date.now() + 1000);
    expect(await other.cache.get(keyOf('a-person', 'a'), found('new'))).toEqual({ found: 'new' });
  });

  test('every key in Redis expires except the epoch', async () => {
    const { cache } = await instance();
    await cache.get(keyOf('a-person', 'a'), found('old'));
    await cache.invalidate({ sub: ['another'] });
    const life = (key: string) => inspector.ttl(key);
    const versions = ['user_auth_version:a-person', 'user_auth_version:another'];
    expect((await inspector.keys('*')).toSorted()).toEqual(['user_auth:a-person', 'user_auth_epoch', ...versions]);
    const entry = await life('user_auth:a-person');
    expect(entry).toBeGreaterThan(0);
    expect(entry).toBeLessThanOrEqual(ttlSeconds);
    for (const version of versions) expect(await life(version)).toBeGreaterThan(entry);
  });

  test.each(['', '{', 'null', '[]', '"x"', '{"until":9999999999999,"value":{"found":"forged"}}'])(
    'an invalid value in Redis is ignored: %s',
    async (text) => {
      const { cache } = await instance();
      await inspector.hset('user_auth:a-person', 'a', text);
      expect(await cache.get(keyOf('a-person', 'a'), found('true'))).toEqual({ found: 'true' });
    },
  );

  test.each(['epoch', 'version:a-person', 'version'])('a subject named %s is cached like every other', async (sub) => {
    const { cache, states } = await instance();
    await cache.get(keyOf('a-person', 'a'), found('old'));
    await cache.get(keyOf(sub, 'a'), found('mine'));
    await cache.invalidate({ sub: [sub] });
    expect(await cache.get(keyOf(sub, 'a'), found('changed'))).toEqual({ found: 'changed' });
    expect(states).toEqual([true]);
  });

  describe('that fails', () => {
    test.each(['keep', 'lose'] as const)(
      'and comes back (data: %s) has no context that a change has invalidated meanwhile',
      async (data) => {
        const [one, other] = [await instance(), await instance()];
        await one.cache.get(keyOf('a-person', 'a'), found('old'));
        await other.cache.invalidate({ sub: ['somebody-else'] });
        await redis.stop(data);
        await one.cache.invalidate({ sub: ['a-person'] });
        await redis.start();
        await vi.waitFor(() => expect([one.connection.up, other.connection.up]).toEqual([true, true]), arrival);
        expect(await other.cache.get(keyOf('a-person', 'a'), found('new'))).toEqual({ found: 'new' });
      },
    );

    test('is logged once, and once when it is back', async () => {
      const { cache, connection, states } = await instance();
      let attempts = 0;
      connection.client.on('reconnecting', () => (attempts += 1));
      await redis.stop('lose');
      await vi.waitFor(() => expect(connection.up).toBe(false), arrival);
      for (let index = 0; index < 50; index += 1) {
        expect(await cache.get(keyOf(`person-${index}`, 'a'), found('new'))).toEqual({ found: 'new' });
        await cache.invalidate({ sub: [`person-${index}`] });
      }
      await vi.waitFor(() => expect(attempts).toBeGreaterThan(3), arrival);
      await redis.start();
      await vi.waitFor(() => expect(connection.up).toBe(true), arrival);
      expect(states).toEqual([true, false, true]);
    });

    test('and hangs does not block requests, and late commands have no effect', async () => {
      const [one, other, third] = [await instance(), await instance(), await instance()];
      await one.cache.get(keyOf('a-person', 'a'), found('old'));
      redis.pause();
      try {
        // Only the first command waits for its timeout.
        await one.cache.invalidate({ sub: ['a-person'] });
        expect(one.connection.up).toBe(false);
        expect(await one.cache.get(keyOf('a-person', 'a'), found('new'))).toEqual({ found: 'new' });
        expect(await other.cache.get(keyOf('a-person', 'a'), found('new'))).toEqual({ found: 'new' });
      } finally {
        redis.resume();
      }
      await vi.waitFor(() => expect([one.connection.up, third.connection.up]).toEqual([true, true]), arrival);
      expect(await third.cache.get(keyOf('a-person', 'a'), found('newer'))).toEqual({ found: 'newer' });
      expect(one.states).toEqual([true, false, true]);
    });
  });
});
