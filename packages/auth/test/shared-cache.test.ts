import { setTimeout as pause } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { startRedis, type TestRedis } from '../../../test/redis.ts';
import { CallerCache, RedisConnection, SharedCache } from '../src/index.ts';

const keyOf = (sub: string, context: string) => ({ sub, context, unknownContext: 'user' });

const program = inject('redisServer');
const ttlSeconds = 300;
const arrival = { timeout: 20_000, interval: 20 };

/** What an instance of the service has of the cache. */
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

  /** What an instance wrote down of the person, so that a late writer can be made to write it again. */
  async function writtenBy(load: () => Promise<unknown>): Promise<string> {
    await load();
    return (await inspector.hget('user_auth:a-person', 'a')) ?? '';
  }

  const found = (value: string) => async () => ({ found: value });

  test('what one instance loaded the others need not load', async () => {
    const [one, other] = [await instance(), await instance()];
    await one.cache.get(keyOf('a-person', 'a'), found('old'));
    expect(await other.cache.get(keyOf('a-person', 'a'), found('new'))).toEqual({ found: 'old' });
    expect(await other.cache.get(keyOf('a-person', 'b'), found('new'))).toEqual({ found: 'new' });
    expect(other.outcomes).toEqual(['shared', 'miss']);
  });

  test.each([[{ sub: ['a-person'] }], [{ all: true as const }]])('the change %j that one tells is one for all', async (change) => {
    const [one, other, third] = [await instance(), await instance(), await instance()];
    await one.cache.get(keyOf('a-person', 'a'), found('old'));
    await other.cache.invalidate(change);
    expect(await third.cache.get(keyOf('a-person', 'a'), found('new'))).toEqual({ found: 'new' });
    expect(await other.cache.get(keyOf('a-person', 'a'), found('newer'))).toEqual({ found: 'new' });
  });

  test('a load from before a change is written down for nobody', async () => {
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
  ])('%s, when Redis loses it,', (key, change) => {
    /** As a Redis that is full does, whatever it is told to keep. */
    const lose = () => inspector.del(key);

    test('makes void what was remembered: nothing is as good as no version', async () => {
      const [one, other] = [await instance(), await instance()];
      await lose();
      await one.cache.get(keyOf('a-person', 'a'), found('old'));
      await lose();
      expect(await other.cache.get(keyOf('a-person', 'a'), found('new'))).toEqual({ found: 'new' });
      expect(other.outcomes).toEqual(['miss']);
    });

    test('brings nothing back that a change made void', async () => {
      const [one, other, third] = [await instance(), await instance(), await instance()];
      await lose();
      const held = await writtenBy(async () => one.cache.get(keyOf('a-person', 'a'), found('old')));
      await other.cache.invalidate(change);
      await inspector.hset('user_auth:a-person', 'a', held);
      await lose();
      expect(await third.cache.get(keyOf('a-person', 'a'), found('new'))).toEqual({ found: 'new' });
    });

    test('is made anew by who reads next, and then remembered under', async () => {
      const [one, other] = [await instance(), await instance()];
      await lose();
      await one.cache.get(keyOf('a-person', 'a'), found('first'));
      expect(await other.cache.get(keyOf('a-person', 'a'), found('second'))).toEqual({ found: 'first' });
    });
  });

  test('what is taken from Redis grows no older than it would there', async () => {
    const [one, other] = [await instance(), await instance()];
    await one.cache.get(keyOf('a-person', 'a'), found('old'));
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + (ttlSeconds - 1) * 1000 });
    await other.cache.get(keyOf('a-person', 'a'), found('new'));
    expect(other.outcomes).toEqual(['shared']);
    vi.setSystemTime(Date.now() + 1000);
    expect(await other.cache.get(keyOf('a-person', 'a'), found('new'))).toEqual({ found: 'new' });
  });

  test('nothing stays in Redis for good but the epoch', async () => {
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
    'what makes no sense there is as nothing: %s',
    async (text) => {
      const { cache } = await instance();
      await inspector.hset('user_auth:a-person', 'a', text);
      expect(await cache.get(keyOf('a-person', 'a'), found('true'))).toEqual({ found: 'true' });
    },
  );

  test.each(['epoch', 'version:a-person', 'version'])('a subject named %s is one like the others', async (sub) => {
    const { cache, states } = await instance();
    await cache.get(keyOf('a-person', 'a'), found('old'));
    await cache.get(keyOf(sub, 'a'), found('mine'));
    await cache.invalidate({ sub: [sub] });
    expect(await cache.get(keyOf(sub, 'a'), found('changed'))).toEqual({ found: 'changed' });
    expect(states).toEqual([true]);
  });

  describe('that goes', () => {
    test.each(['keep', 'lose'] as const)('and comes back (data: %s) knows nothing that a change meanwhile made untrue', async (data) => {
      const [one, other] = [await instance(), await instance()];
      await one.cache.get(keyOf('a-person', 'a'), found('old'));
      await other.cache.invalidate({ sub: ['somebody-else'] });
      await redis.stop(data);
      await one.cache.invalidate({ sub: ['a-person'] });
      await redis.start();
      await vi.waitFor(() => expect([one.connection.up, other.connection.up]).toEqual([true, true]), arrival);
      expect(await other.cache.get(keyOf('a-person', 'a'), found('new'))).toEqual({ found: 'new' });
    });

    test('is told of once, however many ask meanwhile, and once when it is back', async () => {
      const { cache, connection, states } = await instance();
      await redis.stop('lose');
      await vi.waitFor(() => expect(connection.up).toBe(false), arrival);
      for (let index = 0; index < 50; index += 1) {
        expect(await cache.get(keyOf(`person-${index}`, 'a'), found('new'))).toEqual({ found: 'new' });
        await cache.invalidate({ sub: [`person-${index}`] });
      }
      // Several attempts to connect fail.
      await pause(1_500);
      await redis.start();
      await vi.waitFor(() => expect(connection.up).toBe(true), arrival);
      expect(states).toEqual([true, false, true]);
    });

    test('and hangs makes nobody wait for long, and what it is told too late does no harm', async () => {
      const [one, other, third] = [await instance(), await instance(), await instance()];
      await one.cache.get(keyOf('a-person', 'a'), found('old'));
      redis.pause();
      try {
        // The first to notice waits for a command's limit, those after it for nothing.
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
