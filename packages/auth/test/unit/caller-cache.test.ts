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
  const key = { sub: who, context, unknownContext: 'user', ...(clientId && { clientId }) };
  return cache.get(key, load, (caller) => caller.stored === 'rejected');
}
/** Looks up callers that are changed now. Returns what the cache has. */
const getAll = (keys: Lookup[]) => Promise.all(keys.map(async (key) => (await get('new', key))?.stored));

describe('a caller', () => {
  test('is loaded once, and then returned without a promise', async () => {
    expect(await get('old')).toEqual({ stored: 'old' });
    expect(get('new')).toEqual({ stored: 'old' });
    expect(outcomes).toEqual(['miss', 'local']);
  });

  test('is cached by subject and context', async () => {
    const keys = [{ who: sub, context: 'a' }, { who: sub, context: 'b' }, { who: 'another' }];
    for (const [index, key] of keys.entries()) await get(`caller ${index}`, key);
    expect(await getAll(keys)).toEqual(['caller 0', 'caller 1', 'caller 2']);
  });

  test('that is unknown in one context is unknown in all, and one that is rejected in one context is not in another', async () => {
    await get(null);
    expect(await getAll([{ context: 'a' }, { context: 'b' }])).toEqual([undefined, undefined]);
    await get('rejected', { who: 'another' });
    expect(await getAll([{ who: 'another' }, { who: 'another', context: 'b' }])).toEqual(['rejected', 'new']);
    await cache.invalidate({ sub: [sub, 'another'] });
    expect(await getAll([{}, { who: 'another' }])).toEqual(['new', 'new']);
  });

  test.each([
    ['known', ttlSeconds * 1000],
    ['rejected', 5_000],
    [null, 5_000],
  ])('expires, whether or not another context is loaded meanwhile: %s after %i ms', async (stored, ms) => {
    vi.useFakeTimers({ toFake: ['Date'] });
    await get(stored);
    vi.advanceTimersByTime(ms - 1);
    if (stored !== null) await get('old', { context: 'b' });
    expect(await get('new')).toEqual(stored && { stored });
    vi.advanceTimersByTime(1);
    expect(await get('new')).toEqual({ stored: 'new' });
  });

  test.each(['known', 'rejected'])('is loaded again after the clock was set back (%s)', async (stored) => {
    vi.useFakeTimers({ toFake: ['Date'] });
    await get(stored);
    vi.setSystemTime(Date.now() - 60 * 60_000);
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
    expect(await getAll(keys)).toEqual(['new', 'new', 'old']);
  });

  test.each(['old', null])('of a client applies to its applications and to no other caller (%s)', async (stored) => {
    const keys = [{ who: 'one', clientId: 'erp' }, { who: 'two', clientId: 'erp' }, { who: 'three', clientId: 'crm' }, { who: 'a user' }];
    for (const key of keys) await get(stored, key);
    await cache.invalidate({ clientId: ['erp'] });
    const before = stored ?? undefined;
    expect(await getAll(keys)).toEqual(['new', 'new', before, before]);
  });

  test.each([[{ sub: [sub] }], [{ all: true as const }]])(
    '%j during a load: the result is not cached, and later requests do not wait for it',
    async (change) => {
      const { promise: until, resolve: finish } = Promise.withResolvers<void>();
      const before = get('old', { until });
      await vi.waitFor(() => expect(loads).toBe(1));
      await cache.invalidate(change);
      expect(await get('new')).toEqual({ stored: 'new' });
      finish();
      expect(await before).toEqual({ stored: 'old' });
      expect(await get('newer')).toEqual({ stored: 'new' });
    },
  );
});

test('without the notification channel nothing is cached, and cached callers are not used', async () => {
  await get('old');
  trusted = false;
  for (const stored of ['new', 'newer']) expect(await get(stored)).toEqual({ stored });
  expect(outcomes).toEqual(['miss', 'miss', 'miss']);
});

test.each<[string, number, number, (index: number) => Lookup]>([
  ['32 contexts of a subject', 32, 32, (index) => ({ context: `context ${index}` })],
  ['10,000 subjects, and removes the least recently used', 10_000, 1, (index) => ({ who: `person-${index}` })],
])('the cache contains at most %s', async (_name, count, kept, keyOf) => {
  for (let index = 0; index <= count; index += 1) await get('old', keyOf(index));
  expect(await getAll([keyOf(kept), keyOf(0)])).toEqual(['old', 'new']);
});
