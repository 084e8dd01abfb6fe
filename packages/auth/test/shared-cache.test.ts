import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, describe, expect, inject, onTestFinished, test, vi } from 'vitest';
import { startRedis, type TestRedis } from '../../../test/redis.ts';
import { CallerCache, RedisConnection, SharedCache } from '../src/index.ts';

const program = inject('redisServer');
const ttlSeconds = 300;
const arrival = { timeout: 20_000, interval: 20 };

type Instance = Awaited<ReturnType<typeof startInstance>>;

describe.skipIf(!program)('instances on one Redis:', () => {
  let redis: TestRedis;
  let inspector: Redis;

  beforeAll(async () => {
    redis = await startRedis(program ?? '');
    inspector = new Redis(redis.url, { retryStrategy: () => 50 });
    inspector.on('error', () => undefined);
  });
  afterEach(async () => {
    vi.useRealTimers();
    await inspector.flushall();
  });
  afterAll(async () => {
    inspector.disconnect();
    await redis.remove();
  });

  const allUp = (...checked: Instance[]) =>
    vi.waitFor(() => expect(checked.map(({ connection }) => connection.up)).toEqual(checked.map(() => true)), arrival);
  /** Starts three instances and waits until they use Redis. */
  async function instances() {
    const three = [await startInstance(redis), await startInstance(redis), await startInstance(redis)] as const;
    await allUp(...three);
    return three;
  }

  test('an invalidation by one instance applies on all instances, and to no other caller', async () => {
    const [one, other, third] = await instances();
    const applications = ['erp', 'crm'].map((clientId) => ['an-application', clientId, clientId] as const);
    for (const each of applications) await one.get('old', ...each);
    await one.get('old');
    await other.cache.invalidate({ clientId: ['erp'] });
    expect(await third.get('new')).toBe('old');
    expect(await Promise.all(applications.map((each) => third.get('new', ...each)))).toEqual(['new', 'old']);
    for (const [index, change] of [{ sub: ['person-0'] }, { all: true as const }].entries()) {
      const sub = `person-${index}`;
      await one.get('old', sub);
      await other.cache.invalidate({ ...change });
      expect(await third.get('new', sub)).toBe('new');
    }
  });

  test('a load that began before an invalidation by another instance is not stored', async () => {
    const [one, other] = await instances();
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const load = vi.fn<() => Promise<{ stored: string }>>(() => held.then(() => ({ stored: 'old' })));
    const before = one.cache.get({ sub: 'a-person', context: 'a', unknownContext: 'user' }, load);
    await vi.waitFor(() => expect(load).toHaveBeenCalled(), arrival);
    await other.cache.invalidate({ sub: ['a-person'] });
    release();
    await before;
    expect(await other.get('new')).toBe('new');
  });

  test.each([
    ['user_auth_epoch', { all: true as const }],
    ['user_auth_version:a-person', { sub: ['a-person'] }],
    ['user_auth_client_version:erp', { clientId: ['erp'] }],
  ])('%s that Redis evicts invalidates the stored callers, and restores none that were invalidated', async (key, change) => {
    const [one, other, third] = await instances();
    const get = (instance: Instance, stored: string) => instance.get(stored, 'a-person', 'a', 'erp');
    await inspector.del(key);
    await get(one, 'old');
    const entry = (await inspector.hget('user_auth:a-person', 'a')) ?? '';
    await inspector.del(key);
    expect(await get(other, 'new')).toBe('new');
    expect(other.outcomes).toEqual(['miss']);
    await other.cache.invalidate(change);
    await inspector.hset('user_auth:a-person', 'a', entry);
    await inspector.del(key);
    expect(await get(third, 'newer')).toBe('newer');
  });

  test('an entry of Redis keeps its age in an instance', async () => {
    const [one, other] = await instances();
    await one.get('old');
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + (ttlSeconds - 1) * 1000 });
    expect(await other.get('new')).toBe('old');
    vi.setSystemTime(Date.now() + 1000);
    expect(await other.get('new')).toBe('new');
  });

  test('every key in Redis expires except the epoch', async () => {
    const [{ get, cache }] = await instances();
    await get('old', 'a-person', 'a', 'erp');
    await cache.invalidate({ sub: ['another'], clientId: ['crm'] });
    const versions = ['client_version:crm', 'client_version:erp', 'version:a-person', 'version:another'].map((key) => `user_auth_${key}`);
    expect((await inspector.keys('*')).toSorted()).toEqual(['user_auth:a-person', 'user_auth_epoch', ...versions].toSorted());
    const entry = await inspector.ttl('user_auth:a-person');
    expect(entry).toBeGreaterThan(0);
    expect(entry).toBeLessThanOrEqual(ttlSeconds);
    for (const version of versions) expect(await inspector.ttl(version)).toBeGreaterThan(entry);
  });

  test('an invalid value in Redis is ignored', async () => {
    const [{ get }] = await instances();
    for (const text of ['', '{', 'null', '[]', '"x"', '{"until":9999999999999,"value":{"stored":"forged"}}']) {
      await inspector.hset('user_auth:a-person', text, text);
      expect(await get('new', 'a-person', text)).toBe('new');
    }
  });

  test('an outage is reported once, and its end once', async () => {
    const [{ get, cache, connection, states }] = await instances();
    let attempts = 0;
    connection.client.on('reconnecting', () => (attempts += 1));
    await redis.stop('lose');
    await vi.waitFor(() => expect(connection.up).toBe(false), arrival);
    for (let index = 0; index < 50; index += 1) {
      expect(await get('new', `person-${index}`)).toBe('new');
      await cache.invalidate({ sub: [`person-${index}`] });
    }
    await vi.waitFor(() => expect(attempts).toBeGreaterThan(3), arrival);
    await redis.start();
    await vi.waitFor(() => expect(connection.up).toBe(true), arrival);
    expect(states).toEqual([true, false, true]);
  });
});

/** The cache parts of an instance of the service. */
async function startInstance({ url }: TestRedis) {
  const [outcomes, states]: [string[], boolean[]] = [[], []];
  const connection = await RedisConnection.open({ url, onState: (up) => states.push(up) });
  onTestFinished(() => connection.close());
  const shared = new SharedCache({ redis: connection, ttlSeconds });
  const cache = new CallerCache({ ttlSeconds, trusted: () => true, shared, onLookup: (outcome) => outcomes.push(outcome) });
  /** Looks up a caller. Returns what the cache returns. @param stored what the database has */
  const get = async (stored: string, sub = 'a-person', context = 'a', clientId?: string) =>
    (await cache.get({ sub, context, unknownContext: 'user', ...(clientId && { clientId }) }, async () => ({ stored })))?.stored;
  return { connection, cache, get, outcomes, states };
}
