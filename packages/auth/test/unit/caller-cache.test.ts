import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { CallerCache } from '../../src/index.ts';

const sub = 'a-person';
const ttlSeconds = 300;

let trusted: boolean;
let outcomes: string[];
let loads: number;
let cache: CallerCache;

beforeEach(() => {
  trusted = true;
  outcomes = [];
  loads = 0;
  cache = new CallerCache({ ttlSeconds, trusted: () => trusted, onLookup: (outcome) => outcomes.push(outcome) });
});
afterEach(() => vi.useRealTimers());

interface Lookup {
  who?: string;
  context?: string;
  clientId?: string;
  /** The load ends after this promise. */
  until?: Promise<void>;
}

/** Looks up a caller. @param stored what the database has: null for an unknown caller, `rejected` for a rejection */
function get(stored: string | null, { who = sub, context = 'a', clientId, until }: Lookup = {}) {
  const load = async () => {
    loads += 1;
    await until;
    return stored === null ? null : { stored };
  };
  return cache.get(
    { sub: who, context, unknownContext: 'user', ...(clientId && { clientId }) },
    load,
    (caller) => caller.stored === 'rejected',
  );
}

/** Begins a load of `old`. `finish` ends it and returns its result. */
async function beginLoad() {
  const { promise: until, resolve } = Promise.withResolvers<void>();
  const result = get('old', { until });
  await vi.waitFor(() => expect(loads).toBe(1));
  const finish = async () => {
    resolve();
    return result;
  };
  return { finish };
}

describe('a caller', () => {
  test('is loaded once, and then returned without a promise', async () => {
    expect(await get('old')).toEqual({ stored: 'old' });
    expect(get('new')).toEqual({ stored: 'old' });
    expect(outcomes).toEqual(['miss', 'local']);
  });

  test('is cached by subject and context', async () => {
    const keys = [{ who: sub, context: 'a' }, { who: sub, context: 'b' }, { who: 'another' }];
    for (const [index, key] of keys.entries()) expect(await get(`caller ${index}`, key)).toEqual({ stored: `caller ${index}` });
    for (const [index, key] of keys.entries()) expect(await get('new', key)).toEqual({ stored: `caller ${index}` });
  });

  test('that is unknown in one context is unknown in all, until an invalidation', async () => {
    expect(await get(null)).toBeNull();
    for (const context of ['a', 'b']) expect(await get('created', { context })).toBeNull();
    expect(loads).toBe(1);
    await cache.invalidate({ sub: [sub] });
    expect(await get('created')).toEqual({ stored: 'created' });
  });

  test.each([null, 'rejected'])('that is unknown or rejected is loaded again after 5 seconds (%s)', async (stored) => {
    vi.useFakeTimers({ toFake: ['Date'] });
    await get(stored);
    vi.advanceTimersByTime(4_999);
    expect(await get('new')).not.toEqual({ stored: 'new' });
    vi.advanceTimersByTime(1);
    expect(await get('new')).toEqual({ stored: 'new' });
  });

  test.each(['known', 'rejected'])('is loaded again after the clock was set back (%s)', async (stored) => {
    vi.useFakeTimers({ toFake: ['Date'] });
    await get(stored);
    vi.setSystemTime(Date.now() - 60 * 60_000);
    expect(await get('new')).toEqual({ stored: 'new' });
  });

  test('that is rejected in one context is not in another, until an invalidation', async () => {
    await get('rejected');
    expect(await get('accepted')).toEqual({ stored: 'rejected' });
    expect(await get('accepted', { context: 'b' })).toEqual({ stored: 'accepted' });
    await cache.invalidate({ sub: [sub] });
    expect(await get('accepted')).toEqual({ stored: 'accepted' });
  });

  test('expires after USER_CACHE_TTL_SECONDS, whether or not another context is loaded meanwhile', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    await get('old');
    vi.advanceTimersByTime(ttlSeconds * 1000 - 1);
    await get('old', { context: 'b' });
    expect(await get('new')).toEqual({ stored: 'old' });
    vi.advanceTimersByTime(1);
    expect(await get('new')).toEqual({ stored: 'new' });
  });

  test('is loaded once for many requests at the same time', async () => {
    await Promise.all(Array.from({ length: 20 }, async () => get('old')));
    expect(loads).toBe(1);
  });
});

describe('an invalidation', () => {
  test('of a subject applies to all its contexts and to no other subject', async () => {
    const keys = [{ context: 'a' }, { context: 'b' }, { who: 'another' }];
    for (const key of keys) await get('old', key);
    await cache.invalidate({ sub: [sub] });
    expect(await Promise.all(keys.map(async (key) => get('new', key)))).toEqual([{ stored: 'new' }, { stored: 'new' }, { stored: 'old' }]);
  });

  test.each(['old', null])('of a client applies to its applications and to no other caller (%s)', async (stored) => {
    const keys = [{ who: 'one', clientId: 'erp' }, { who: 'two', clientId: 'erp' }, { who: 'three', clientId: 'crm' }, { who: 'a user' }];
    for (const key of keys) await get(stored, key);
    await cache.invalidate({ clientId: ['erp'] });
    const before = stored && { stored };
    const found = await Promise.all(keys.map(async (key) => get('new', key)));
    expect(found).toEqual([{ stored: 'new' }, { stored: 'new' }, before, before]);
  });

  test.each([[{ sub: [sub] }], [{ all: true as const }]])(
    '%j during a load: the result is not cached, and later requests do not wait for it',
    async (change) => {
      const { finish } = await beginLoad();
      await cache.invalidate(change);
      const after = get('new');
      expect(await finish()).toEqual({ stored: 'old' });
      expect(await after).toEqual({ stored: 'new' });
      expect(await get('newer')).toEqual({ stored: 'new' });
    },
  );
});

describe('without the notification channel', () => {
  test('nothing is cached, and cached callers are not used', async () => {
    await get('old');
    trusted = false;
    for (const stored of ['new', 'newer']) expect(await get(stored)).toEqual({ stored });
    expect(outcomes).toEqual(['miss', 'miss', 'miss']);
  });
});

describe('the cache contains', () => {
  test('at most 32 contexts of a subject', async () => {
    for (let index = 0; index <= 32; index += 1) await get('old', { context: `context ${index}` });
    expect(await get('new', { context: 'context 32' })).toEqual({ stored: 'old' });
    expect(await get('new', { context: 'context 0' })).toEqual({ stored: 'new' });
  });

  test('at most 10,000 subjects: the least recently used one is removed', async () => {
    for (let index = 0; index <= 10_000; index += 1) await get('old', { who: `person-${index}` });
    expect(await get('new', { who: 'person-1' })).toEqual({ stored: 'old' });
    expect(await get('new', { who: 'person-0' })).toEqual({ stored: 'new' });
  });
});
