import { afterEach, describe, expect, test, vi } from 'vitest';
import { clientCredentials, type EventFeed, type FollowOptions, isProfileError, type ProfileClient } from '../src/index.ts';
import { held, lost, query, type Reply, startStub, succeeded, unavailable } from './stub.ts';

afterEach(() => {
  vi.useRealTimers();
});

const page = (nextCursor: string, ids: string[], hasMore = false): Reply => ({
  status: 200,
  data: { data: ids.map((id) => ({ id })), nextCursor, hasMore },
});

const follow = (client: ProfileClient, options: FollowOptions) => client.events.follow(options);

/** Reads so many items of a feed, and ends the loop. */
async function take<T>(items: AsyncIterable<T>, count: number): Promise<T[]> {
  const taken: T[] = [];
  for await (const item of items) if (taken.push(item) === count) break;
  return taken;
}
const cursorsOf = async (feed: EventFeed, count: number) => (await take(feed, count)).map(({ id, cursor }) => [id, cursor]);
const inputsOf = ({ received }: Awaited<ReturnType<typeof startStub>>) => received.map(({ inputs }) => inputs[0]);
const all = (feed: AsyncIterable<unknown>) => take(feed, Infinity);

describe.each([
  ['events', follow],
  ['service.events', (client: ProfileClient, options: FollowOptions) => client.service.events.follow(options)],
] as const)('%s.follow', (_group, start) => {
  test('gives each event a cursor that skips none: before its page, or after it for the last one', async () => {
    const stub = await startStub(page('1', ['a'], true), page('3', ['b', 'c']), page('4', []), page('5', ['d', 'e']));
    const feed = start(stub.client(), { types: ['app.*'], startDate: '2026-01-01', limit: 50 });
    const cursors = [
      ['a', '1'],
      ['b', '1'],
      ['c', '3'],
      ['d', '4'],
      ['e', '5'],
    ];
    expect(await cursorsOf(feed, 5)).toEqual(cursors);
    const filter = { types: ['app.*'] };
    const rest = ['1', '3', '4'].map((cursor) => ({ ...filter, cursor, limit: 50, wait: 25 }));
    expect(inputsOf(stub)).toEqual([{ ...filter, startDate: '2026-01-01', limit: 1 }, ...rest]);
  });
});

test('pages yields empty pages too, and each loop starts anew', async () => {
  const stub = await startStub(page('2', []), page('3', ['a']), page('2', []));
  const feed = follow(stub.client(), { cursor: '1', startDate: '2026-01-01' });
  expect((await take(feed.pages(), 2)).map(({ nextCursor, data }) => [nextCursor, data.length])).toEqual([
    ['2', 0],
    ['3', 1],
  ]);
  await take(feed.pages(), 1);
  expect(inputsOf(stub).map((input) => [input?.['cursor'], input?.['startDate']])).toEqual(
    ['1', '2', '1'].map((cursor) => [cursor, undefined]),
  );
});

test('follow goes on after temporary failures from its cursor, more often than maxAttempts, with renewed tokens', async () => {
  const expired: Reply = { status: 401, code: 'UNAUTHORIZED' };
  const failures = [lost, unavailable, { status: 429, code: 'RATE_LIMITED' }, { status: 502, body: '<html>' }] as const;
  const stub = await startStub(page('1', ['a']), ...failures, expired, page('2', ['b']));
  const client = stub.client({ maxAttempts: 2, token: ({ rejected }) => (rejected ? 'renewed' : 'token') });
  expect(await cursorsOf(follow(client, { cursor: '0' }), 2)).toEqual([
    ['a', '1'],
    ['b', '2'],
  ]);
  expect(inputsOf(stub).map((input) => input?.['cursor'])).toEqual(['0', ...Array<string>(6).fill('1')]);
  expect(stub.received.at(-1)?.headers.authorization).toBe('Bearer renewed');
});

test('follow waits as long as Retry-After states, and otherwise at most 15 seconds', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  const times: number[] = [];
  const fetch = () => {
    times.push(Date.now());
    if (times.length !== 12) return Promise.reject(new TypeError('offline'));
    return Promise.resolve(Response.json({ error: { data: {} } }, { status: 503, headers: { 'retry-after': '60' } }));
  };
  const stub = await startStub(succeeded);
  const abort = new AbortController();
  const ended = all(follow(stub.client({ fetch }), { signal: abort.signal }));
  while (times.length < 13) await vi.advanceTimersByTimeAsync(1_000);
  abort.abort();
  expect(await ended).toEqual([]);
  const pauses = times.slice(1).map((time, index) => time - times[index]!);
  expect(Math.max(...pauses.slice(0, 11))).toBeLessThanOrEqual(15_000);
  expect(pauses[11]).toBeGreaterThanOrEqual(60_000);
});

test('follow sends a request again whose response does not arrive', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const stub = await startStub(held, page('1', ['a']));
  const taken = cursorsOf(follow(stub.client(), { cursor: '0' }), 1);
  await vi.waitFor(() => expect(stub.received).toHaveLength(1));
  await vi.advanceTimersByTimeAsync(61_000);
  expect(await taken).toEqual([['a', '1']]);
});

test('follow pauses after an empty page: an instance that stops responds without waiting', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const stub = await startStub(page('1', []), page('2', ['a']));
  let requests = 0;
  const fetch = (url: unknown, init?: RequestInit) => {
    requests += 1;
    return globalThis.fetch(String(url), init);
  };
  const pages = follow(stub.client({ fetch }), { cursor: '0' }).pages()[Symbol.asyncIterator]();
  await pages.next();
  const second = pages.next();
  for (let turn = 0; turn < 100; turn += 1) await new Promise(setImmediate);
  expect(requests).toBe(1);
  await vi.advanceTimersByTimeAsync(300);
  expect(await second).toMatchObject({ value: { nextCursor: '2' } });
});

test.each([
  ['EVENT_CURSOR_EXPIRED', { status: 410, code: 'EVENT_CURSOR_EXPIRED' }],
  ['NOT_ALLOWED', { status: 403, code: 'NOT_ALLOWED' }],
  ['VALIDATION_FAILED', { status: 400, code: 'VALIDATION_FAILED' }],
  ['UNAUTHORIZED', { status: 401, code: 'UNAUTHORIZED' }],
])('follow throws %s once', async (code, reply) => {
  const stub = await startStub(page('1', ['a']), reply);
  const failed: unknown = await all(follow(stub.client(), { cursor: '0' })).catch((error: unknown) => error);
  expect(isProfileError(failed, code) && failed.status).toBe(reply.status);
  expect(stub.received).toHaveLength(2);
});

test('follow waits for a token endpoint that is down, and throws TOKEN_FAILED if it rejects the application', async () => {
  const answers = [
    () => Promise.reject(new TypeError('offline')),
    () => Promise.resolve(new Response('', { status: 503 })),
    () => Promise.resolve(Response.json({ access_token: 'issued', expires_in: 0 })),
    () => Promise.resolve(Response.json({ error: 'invalid_client' }, { status: 401 })),
  ];
  const fetch = vi.fn<() => Promise<Response>>(() => answers.shift()!());
  const token = clientCredentials({ tokenUrl: 'http://issuer/token', clientId: 'harvest', clientSecret: 'secret', fetch });
  const stub = await startStub(page('1', ['a']));
  await expect(all(follow(stub.client({ token }), { cursor: '0' }))).rejects.toMatchObject({ code: 'TOKEN_FAILED' });
  expect(stub.received.map(({ headers }) => headers.authorization)).toEqual(['Bearer issued']);
});

describe('a signal ends the loop without an error', () => {
  test.each([
    ['while the service waits', held, 2],
    ['during a pause', { ...unavailable, headers: { 'retry-after': '9' } }, 2],
  ] as const)('%s', async (_when, reply, requests) => {
    const stub = await startStub(page('1', ['a']), reply);
    const abort = new AbortController();
    const sent: RequestInit[] = [];
    const fetch = (url: unknown, init: RequestInit = {}) => {
      sent.push(init);
      return globalThis.fetch(String(url), init);
    };
    const ended = all(follow(stub.client({ fetch }), { cursor: '0', signal: abort.signal }));
    await vi.waitFor(() => expect(stub.received).toHaveLength(requests));
    abort.abort();
    expect(await ended).toHaveLength(1);
    expect(sent.map(({ signal }) => signal?.aborted)).toEqual([false, reply === held]);
    expect(stub.received).toHaveLength(requests);
  });

  test('before it has begun, and between the events of a page', async () => {
    const stub = await startStub(page('2', ['a', 'b']));
    expect(await all(follow(stub.client(), { signal: AbortSignal.abort() }))).toEqual([]);
    expect(stub.received).toEqual([]);
    const abort = new AbortController();
    const seen: string[] = [];
    for await (const { id } of follow(stub.client(), { cursor: '0', signal: abort.signal })) {
      seen.push(id);
      abort.abort();
    }
    expect(seen).toEqual(['a']);
  });
});

test('a request that waits is a request of its own', async () => {
  const stub = await startStub(page('1', ['a']));
  const client = stub.client();
  await Promise.all([take(follow(client, { cursor: '0' }), 1), client.events.list.query({ wait: 30 }), query(client), query(client)]);
  expect(stub.received.map(({ inputs }) => inputs.length).toSorted()).toEqual([1, 1, 2]);
});

test('all requests of follow go to the tenant that was active when the loop began', async () => {
  const stub = await startStub(page('1', ['a']), unavailable, page('2', ['b']));
  const tenantId = vi.fn<() => string>(() => (stub.received.length === 0 ? 'A' : 'B'));
  await take(follow(stub.client({ tenantId }), { cursor: '0' }), 2);
  expect(stub.received.map(({ headers }) => headers['x-tenant-id'])).toEqual(['A', 'A', 'A']);
});
