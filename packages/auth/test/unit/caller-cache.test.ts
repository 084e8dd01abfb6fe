import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { CallerCache } from '../../src/index.ts';

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

/** A store with changeable results that counts its loads and can delay them. */
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
  test('is loaded once', async () => {
    const users = store();
    const first = await cache.get(sub, 'a', users.load);
    expect(await cache.get(sub, 'a', users.load)).toBe(first);
    expect(users.asked).toBe(1);
    expect(outcomes).toEqual(['miss', 'local']);
  });

  test('is cached separately for each context and subject', async () => {
    for (const [who, context] of [
      [sub, 'a'],
      [sub, 'b'],
      ['another', 'a'],
    ] as const) {
      expect(await cache.get(who, context, async () => ({ who, context }))).toEqual({ who, context });
    }
    expect(await cache.get(sub, 'b', store().load)).toEqual({ who: sub, context: 'b' });
  });

  test('that is unknown is loaded again', async () => {
    const users = store(null);
    expect(await cache.get(sub, 'a', users.load)).toBeNull();
    users.now = 'created';
    expect(await cache.get(sub, 'a', users.load)).toEqual({ found: 'created' });
  });

  test('that must not be cached is loaded again', async () => {
    const users = store();
    for (let index = 0; index < 3; index += 1) await cache.get(sub, 'a', users.load, () => false);
    expect(users.asked).toBe(3);
  });

  test('is loaded again after a failed load', async () => {
    await expect(cache.get(sub, 'a', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
    expect(await cache.get(sub, 'a', store().load)).toEqual({ found: 'old' });
  });

  test('expires after USER_CACHE_TTL_SECONDS', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const users = store();
    await cache.get(sub, 'a', users.load);
    vi.setSystemTime(Date.now() + ttlSeconds * 1000 - 1);
    // A later context of the same subject does not extend the lifetime of the first.
    await cache.get(sub, 'b', users.load);
    await cache.get(sub, 'a', users.load);
    expect(users.asked).toBe(2);
    vi.setSystemTime(Date.now() + 1);
    await cache.get(sub, 'a', users.load);
    expect(users.asked).toBe(3);
  });

  test('is loaded once for many requests at the same time', async () => {
    const [users, hold] = [store(), held()];
    users.hold = hold.until;
    const requests = Array.from({ length: 20 }, () => cache.get(sub, 'a', users.load));
    hold.release();
    expect(new Set(await Promise.all(requests)).size).toBe(1);
    expect(users.asked).toBe(1);
  });
});

describe('a change', () => {
  test('applies to the next request', async () => {
    const users = store();
    await cache.get(sub, 'a', users.load);
    await cache.get(sub, 'b', users.load);
    users.now = 'new';
    await cache.invalidate({ sub: [sub] });
    expect(await cache.get(sub, 'a', users.load)).toEqual({ found: 'new' });
    expect(await cache.get(sub, 'b', users.load)).toEqual({ found: 'new' });
  });

  test('of one subject keeps the others, and a change of all keeps none', async () => {
    const users = store();
    await cache.get(sub, 'a', users.load);
    await cache.invalidate({ sub: ['another'] });
    await cache.get(sub, 'a', users.load);
    expect(users.asked).toBe(1);
    await cache.invalidate({ all: true });
    await cache.get(sub, 'a', users.load);
    expect(users.asked).toBe(2);
  });

  test.each([[{ sub: [sub] }], [{ all: true as const }]])('%j during a load discards its result', async (change) => {
    const [users, hold] = [store(), held()];
    users.hold = hold.until;
    const before = cache.get(sub, 'a', users.load);
    await vi.waitFor(() => expect(users.asked).toBe(1));
    users.now = 'new';
    await cache.invalidate(change);
    const after = cache.get(sub, 'a', users.load);
    hold.release();
    expect(await before).toEqual({ found: 'old' });
    expect(await after).toEqual({ found: 'new' });
    expect(await cache.get(sub, 'a', users.load)).toEqual({ found: 'new' });
    expect(users.asked).toBe(2);
  });

  test('is not undone by a load that began before and ends after it', async () => {
    const [users, hold] = [store(), held()];
    users.hold = hold.until;
    const before = cache.get(sub, 'a', users.load);
    await vi.waitFor(() => expect(users.asked).toBe(1));
    await cache.invalidate({ sub: [sub] });
    Object.assign(users, { now: 'new', hold: undefined });
    await cache.get(sub, 'a', users.load);
    hold.release();
    await before;
    expect(await cache.get(sub, 'a', users.load)).toEqual({ found: 'new' });
    expect(users.asked).toBe(2);
  });
});

describe('without a channel for changes', () => {
  test('nothing is cached and nothing cached is used', async () => {
    const users = store();
    await cache.get(sub, 'a', users.load);
    trusted = false;
    users.now = 'new';
    expect(await cache.get(sub, 'a', users.load)).toEqual({ found: 'new' });
    expect(await cache.get(sub, 'b', users.load)).toEqual({ found: 'new' });
    expect(await cache.get(sub, 'b', users.load)).toEqual({ found: 'new' });
    expect(users.asked).toBe(4);
    expect(outcomes).toEqual(['miss', 'miss', 'miss', 'miss']);
  });

  test('a request does not use a load that began before', async () => {
    const [users, hold] = [store(), held()];
    users.hold = hold.until;
    const before = cache.get(sub, 'a', users.load);
    await vi.waitFor(() => expect(users.asked).toBe(1));
    trusted = false;
    Object.assign(users, { now: 'new', hold: undefined });
    expect(await cache.get(sub, 'a', users.load)).toEqual({ found: 'new' });
    hold.release();
    await before;
  });
});

describe('the memory is bounded:', () => {
  test('one subject with many contexts loses some of them', async () => {
    const users = store();
    for (let index = 0; index <= 32; index += 1) await cache.get(sub, `context ${index}`, users.load);
    await cache.get(sub, 'context 32', users.load);
    expect(users.asked).toBe(33);
    await cache.get(sub, 'context 0', users.load);
    expect(users.asked).toBe(34);
  });

  test('of more than 10,000 subjects the least recently used are removed', async () => {
    const users = store();
    for (let index = 0; index <= 10_000; index += 1) await cache.get(`person-${index}`, 'a', users.load);
    await cache.get('person-1', 'a', users.load);
    expect(users.asked).toBe(10_001);
    await cache.get('person-0', 'a', users.load);
    expect(users.asked).toBe(10_002);
  });
});
