import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { CallerCache } from '../../src/index.ts';

const keyOf = (sub: string, context: string) => ({ sub, context, unknownContext: 'user' });

const sub = 'a-person';
const ttlSeconds = 300;

let trusted: boolean;
let outcomes: string[];
let cache: CallerCache;

beforeEach(() => {
  trusted = true;
  outcomes = [];
  cache = new CallerCache({ ttlSeconds, trusted: () => trusted, onLookup: (outcome) => outcomes.push(outcome) });
});
afterEach(() => vi.useRealTimers());

/** A store whose answer can be changed, that counts how often it is asked and can be made to wait. */
function store(first: string | null = 'old') {
  const self = {
    now: first,
    asked: 0,
    hold: undefined as Promise<void> | undefined,
    load: async () => {
      self.asked += 1;
      const found = self.now;
      await self.hold;
      return found === null ? null : { found };
    },
  };
  return self;
}

function held(): { until: Promise<void>; release: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { until: promise, release: resolve };
}

describe('a caller', () => {
  test('is loaded once and remembered', async () => {
    const users = store();
    const first = await cache.get(keyOf(sub, 'a'), users.load);
    expect(await cache.get(keyOf(sub, 'a'), users.load)).toBe(first);
    expect(users.asked).toBe(1);
    expect(outcomes).toEqual(['miss', 'local']);
  });

  test('is remembered for each context and each subject apart', async () => {
    for (const [who, context] of [
      [sub, 'a'],
      [sub, 'b'],
      ['another', 'a'],
    ] as const) {
      expect(await cache.get(keyOf(who, context), async () => ({ who, context }))).toEqual({ who, context });
    }
    expect(await cache.get(keyOf(sub, 'b'), store().load)).toEqual({ who: sub, context: 'b' });
  });

  test('who is unknown in one context is unknown in all, until an invalidation names them', async () => {
    const users = store(null);
    expect(await cache.get(keyOf(sub, 'a'), users.load)).toBeNull();
    users.now = 'created';
    expect(await cache.get(keyOf(sub, 'a'), users.load)).toBeNull();
    expect(await cache.get(keyOf(sub, 'b'), users.load)).toBeNull();
    expect(users.asked).toBe(1);
    await cache.invalidate({ sub: [sub] });
    expect(await cache.get(keyOf(sub, 'a'), users.load)).toEqual({ found: 'created' });
  });

  test('who is unknown is loaded again after 5 seconds', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const users = store(null);
    await cache.get(keyOf(sub, 'a'), users.load);
    users.now = 'created';
    vi.advanceTimersByTime(4_999);
    expect(await cache.get(keyOf(sub, 'a'), users.load)).toBeNull();
    vi.advanceTimersByTime(1);
    expect(await cache.get(keyOf(sub, 'a'), users.load)).toEqual({ found: 'created' });
  });

  test('a rejection is remembered in its context only, and dropped with all rejections', async () => {
    const users = store('rejected');
    const isRejection = ({ found }: { found: string }) => found === 'rejected';
    await cache.get(keyOf(sub, 'a'), users.load, isRejection);
    users.now = 'admitted';
    expect(await cache.get(keyOf(sub, 'a'), users.load, isRejection)).toEqual({ found: 'rejected' });
    expect(await cache.get(keyOf(sub, 'b'), users.load, isRejection)).toEqual({ found: 'admitted' });
    await cache.invalidate({ rejections: true });
    expect(await cache.get(keyOf(sub, 'a'), users.load, isRejection)).toEqual({ found: 'admitted' });
  });

  test('is loaded again after a load that failed', async () => {
    await expect(cache.get(keyOf(sub, 'a'), () => Promise.reject(new Error('away')))).rejects.toThrow('away');
    expect(await cache.get(keyOf(sub, 'a'), store().load)).toEqual({ found: 'old' });
  });

  test('is forgotten after USER_CACHE_TTL_SECONDS and not before', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const users = store();
    await cache.get(keyOf(sub, 'a'), users.load);
    vi.setSystemTime(Date.now() + ttlSeconds * 1000 - 1);
    // A later context of the same subject does not lengthen the first one's time.
    await cache.get(keyOf(sub, 'b'), users.load);
    await cache.get(keyOf(sub, 'a'), users.load);
    expect(users.asked).toBe(2);
    vi.setSystemTime(Date.now() + 1);
    await cache.get(keyOf(sub, 'a'), users.load);
    expect(users.asked).toBe(3);
  });

  test('is asked for once by many requests at a time', async () => {
    const [users, hold] = [store(), held()];
    users.hold = hold.until;
    const requests = Array.from({ length: 20 }, () => cache.get(keyOf(sub, 'a'), users.load));
    hold.release();
    expect(new Set(await Promise.all(requests.map(async (request) => request))).size).toBe(1);
    expect(users.asked).toBe(1);
  });
});

describe('a change', () => {
  test('is known to the next request', async () => {
    const users = store();
    await cache.get(keyOf(sub, 'a'), users.load);
    await cache.get(keyOf(sub, 'b'), users.load);
    users.now = 'new';
    await cache.invalidate({ sub: [sub] });
    expect(await cache.get(keyOf(sub, 'a'), users.load)).toEqual({ found: 'new' });
    expect(await cache.get(keyOf(sub, 'b'), users.load)).toEqual({ found: 'new' });
  });

  test('of one subject leaves the others, one of all leaves none', async () => {
    const users = store();
    await cache.get(keyOf(sub, 'a'), users.load);
    await cache.invalidate({ sub: ['another'] });
    await cache.get(keyOf(sub, 'a'), users.load);
    expect(users.asked).toBe(1);
    await cache.invalidate({ all: true });
    await cache.get(keyOf(sub, 'a'), users.load);
    expect(users.asked).toBe(2);
  });

  test.each([[{ sub: [sub] }], [{ all: true as const }]])(
    '%j while a load is under way: its answer is old and is not remembered',
    async (change) => {
      const [users, hold] = [store(), held()];
      users.hold = hold.until;
      const before = cache.get(keyOf(sub, 'a'), users.load);
      await vi.waitFor(() => expect(users.asked).toBe(1));
      users.now = 'new';
      await cache.invalidate(change);
      const after = cache.get(keyOf(sub, 'a'), users.load);
      hold.release();
      expect(await before).toEqual({ found: 'old' });
      expect(await after).toEqual({ found: 'new' });
      expect(await cache.get(keyOf(sub, 'a'), users.load)).toEqual({ found: 'new' });
      expect(users.asked).toBe(2);
    },
  );

  test('a load from before it that ends last does not push out the new answer', async () => {
    const [users, hold] = [store(), held()];
    users.hold = hold.until;
    const before = cache.get(keyOf(sub, 'a'), users.load);
    await vi.waitFor(() => expect(users.asked).toBe(1));
    await cache.invalidate({ sub: [sub] });
    Object.assign(users, { now: 'new', hold: undefined });
    await cache.get(keyOf(sub, 'a'), users.load);
    hold.release();
    await before;
    expect(await cache.get(keyOf(sub, 'a'), users.load)).toEqual({ found: 'new' });
    expect(users.asked).toBe(2);
  });
});

describe('without trust in the channel of changes', () => {
  test('nothing is remembered and nothing remembered is used', async () => {
    const users = store();
    await cache.get(keyOf(sub, 'a'), users.load);
    trusted = false;
    users.now = 'new';
    expect(await cache.get(keyOf(sub, 'a'), users.load)).toEqual({ found: 'new' });
    expect(await cache.get(keyOf(sub, 'b'), users.load)).toEqual({ found: 'new' });
    expect(await cache.get(keyOf(sub, 'b'), users.load)).toEqual({ found: 'new' });
    expect(users.asked).toBe(4);
    expect(outcomes).toEqual(['miss', 'miss', 'miss', 'miss']);
  });

  test('a request does not wait for a load that began before', async () => {
    const [users, hold] = [store(), held()];
    users.hold = hold.until;
    const before = cache.get(keyOf(sub, 'a'), users.load);
    await vi.waitFor(() => expect(users.asked).toBe(1));
    trusted = false;
    Object.assign(users, { now: 'new', hold: undefined });
    expect(await cache.get(keyOf(sub, 'a'), users.load)).toEqual({ found: 'new' });
    hold.release();
    await before;
  });
});

describe('the memory is bounded:', () => {
  test('one subject with ever new contexts is forgotten in part', async () => {
    const users = store();
    for (let index = 0; index <= 32; index += 1) await cache.get(keyOf(sub, `context ${index}`), users.load);
    await cache.get(keyOf(sub, 'context 32'), users.load);
    expect(users.asked).toBe(33);
    await cache.get(keyOf(sub, 'context 0'), users.load);
    expect(users.asked).toBe(34);
  });

  test('of more than ten thousand subjects those that were away longest are forgotten', async () => {
    const users = store();
    for (let index = 0; index <= 10_000; index += 1) await cache.get(keyOf(`person-${index}`, 'a'), users.load);
    await cache.get(keyOf('person-1', 'a'), users.load);
    expect(users.asked).toBe(10_001);
    await cache.get(keyOf('person-0', 'a'), users.load);
    expect(users.asked).toBe(10_002);
  });
});
