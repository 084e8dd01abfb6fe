import { afterEach, describe, expect, test, vi } from 'vitest';
import type { ProfileClient } from '../src/index.ts';
import { lost, type Reply, startStub, type Stub, succeeded } from './stub.ts';

let stub: Stub;
afterEach(async () => {
  vi.useRealTimers();
  // Some tests have a stub of their own.
  await (stub as Stub | undefined)?.stop();
});

const unavailable: Reply = { status: 503, code: 'SERVICE_UNAVAILABLE' };
const limited: Reply = { status: 429, code: 'RATE_LIMITED' };
const inProgress: Reply = { status: 409, code: 'IDEMPOTENCY_KEY_IN_PROGRESS' };
const badGateway: Reply = { status: 502, headers: { 'content-type': 'text/html' } };

type Call = (client: ProfileClient) => Promise<unknown>;
const queries: [string, Call][] = [['a query', (client) => client.apps.get.query({ id: '1' })]];
const downloads: [string, Call][] = [['a download', (client) => client.attachments.download('1')]];
const creations: [string, Call][] = [
  ['a creation', (client) => client.apps.create.mutate({ name: 'Silo' })],
  ['an assignment', (client) => client.memberships.assign.mutate({ userId: '1', tenantId: '2', persona: 'viewer' })],
  ['a link', (client) => client.service.organizations.link.mutate({ organizationId: '1' })],
];
const uploads: [string, Call][] = [['an upload of a Blob', (client) => client.attachments.upload(new Blob(['x']))]];
const changes: [string, Call][] = [
  ['an update', (client) => client.apps.update.mutate({ id: '1', name: 'Silo', etag: '"1"' })],
  ['a removal', (client) => client.apps.remove.mutate({ id: '1' })],
  ['an end of a membership', (client) => client.memberships.remove.mutate({ userId: '1', tenantId: '2' })],
];

/** Calls a stub of its own whose first reply is the failure. Returns the outcome and the requests. */
async function callAfter(failure: Reply | typeof lost, call: Call, options = {}) {
  const own = await startStub(failure, succeeded);
  const outcome = await call(own.client(options)).then(
    () => 'succeeded',
    () => 'failed',
  );
  await own.stop();
  return { outcome, received: own.received };
}

/** The number of requests until the call succeeds or fails. */
async function requestsAfter(...args: Parameters<typeof callAfter>): Promise<[outcome: string, requests: number]> {
  const { outcome, received } = await callAfter(...args);
  return [outcome, received.length];
}

// Each call has a stub of its own, and most of the time is the pause before the second attempt.
describe.concurrent.each([...queries, ...creations, ...uploads, ...downloads])('%s', (_kind, call) => {
  test.each([lost, unavailable, limited, inProgress, badGateway] as const)('is repeated after %j', async (failure) => {
    expect(await requestsAfter(failure, call)).toEqual(['succeeded', 2]);
  });

  test.each([400, 401, 403, 404, 409, 412, 422, 500])('is not repeated after %i', async (status) => {
    expect(await requestsAfter({ status, code: 'OTHER' }, call)).toEqual(['failed', 1]);
  });

  test('is not repeated with maxAttempts: 1', async () => {
    expect(await requestsAfter(unavailable, call, { maxAttempts: 1 })).toEqual(['failed', 1]);
  });
});

describe.concurrent.each(changes)('%s', (_kind, call) => {
  test('is repeated after 429, when nothing was done', async () => {
    expect(await requestsAfter(limited, call)).toEqual(['succeeded', 2]);
  });

  test.each([lost, unavailable, badGateway] as const)('is not repeated after %j, when it may have been done', async (failure) => {
    expect(await requestsAfter(failure, call)).toEqual(['failed', 1]);
  });
});

test('the upload of a stream is not repeated, and has only the key of its caller', async () => {
  const stream = () => new Blob(['x']).stream() as unknown as AsyncIterable<Uint8Array>;
  const { outcome, received } = await callAfter(unavailable, (client) => client.attachments.upload(stream()));
  expect([outcome, received.length]).toEqual(['failed', 1]);
  expect(received[0]?.headers).not.toHaveProperty('idempotency-key');
  stub = await startStub(succeeded);
  await stub.client().attachments.upload(stream(), {}, { idempotencyKey: 'mine' });
  expect(stub.received[0]?.headers['idempotency-key']).toBe('mine');
});

test('a call has at most three attempts', async () => {
  stub = await startStub(lost);
  await expect(stub.client().apps.get.query({ id: '1' })).rejects.toThrow('fetch failed');
  expect(stub.received).toHaveLength(3);
});

test.each([...queries, ...uploads])('the next attempt of %s waits as long as Retry-After states', async (_kind, call) => {
  const { received } = await callAfter({ ...unavailable, headers: { 'retry-after': '1' } }, call);
  const [first, second] = received.map(({ time }) => time) as [number, number];
  expect(second - first).toBeGreaterThanOrEqual(990);
});

test('a call with a Retry-After of more than 10 seconds fails at once', async () => {
  const failure = { ...unavailable, headers: { 'retry-after': '11' } };
  expect(await requestsAfter(failure, (client) => client.apps.get.query({ id: '1' }))).toEqual(['failed', 1]);
});

test('all attempts of a creation have the same key, and each creation has its own', async () => {
  stub = await startStub(lost, unavailable, succeeded);
  const client = stub.client();
  await Promise.all(['1', '2'].map((name) => client.apps.create.mutate({ name })));
  const keys = new Map<unknown, Set<unknown>>();
  for (const { name, idempotencyKey } of stub.received.flatMap(({ inputs }) => inputs))
    keys.set(name, (keys.get(name) ?? new Set()).add(idempotencyKey));
  const [[one], [two]] = ['1', '2'].map((name) => [...(keys.get(name) ?? [])]) as [[string], [string]];
  expect([keys.get('1')?.size, keys.get('2')?.size, one === two]).toEqual([1, 1, false]);
  expect(one).toMatch(/^[\da-f-]{36}$/);
});

test('a key of the caller is kept', async () => {
  stub = await startStub(unavailable, succeeded);
  await stub.client().apps.create.mutate({ name: 'Silo', idempotencyKey: 'mine' });
  expect(stub.received.map(({ inputs }) => inputs[0]?.['idempotencyKey'])).toEqual(['mine', 'mine']);
});

test('without retries, no key is added', async () => {
  stub = await startStub(succeeded);
  const client = stub.client({ maxAttempts: 1 });
  await client.apps.create.mutate({ name: 'Silo' });
  await client.attachments.upload(new Blob(['x']));
  expect(stub.received[0]?.inputs[0]).toEqual({ name: 'Silo' });
  expect(stub.received[1]?.headers).not.toHaveProperty('idempotency-key');
});

test('a token that cannot be had is asked for once', async () => {
  stub = await startStub(succeeded);
  let asked = 0;
  const token = () => Promise.reject(new Error(`login ${(asked += 1)}`));
  await expect(stub.client({ token }).apps.get.query({ id: '1' })).rejects.toThrow('login 1');
  expect(asked).toBe(1);
});

test('a call has as many attempts as maxAttempts allows, with pauses of at most 15 seconds', async () => {
  stub = await startStub(succeeded);
  vi.useFakeTimers();
  const times: number[] = [];
  const fetch = () => {
    times.push(Date.now());
    return Promise.reject(new TypeError('offline'));
  };
  const failed = stub.client({ fetch, maxAttempts: 12 }).attachments.download('1');
  failed.catch(() => undefined);
  await vi.runAllTimersAsync();
  await expect(failed).rejects.toThrow('offline');
  vi.useRealTimers();
  expect(times).toHaveLength(12);
  const pauses = times.slice(1).map((time, index) => time - times[index]!);
  expect(Math.min(...pauses.slice(6))).toBeGreaterThanOrEqual(10_000);
  expect(Math.max(...pauses)).toBeLessThanOrEqual(15_000);
});

test.each([...queries, ...uploads])('a signal ends the pause before the next attempt of %s', async (kind) => {
  stub = await startStub({ ...unavailable, headers: { 'retry-after': '9' } });
  const abort = new AbortController();
  const { signal } = abort;
  const client = stub.client();
  const failed =
    kind === 'a query' ? client.apps.get.query({ id: '1' }, { signal }) : client.attachments.upload(new Blob(['x']), {}, { signal });
  failed.catch(() => undefined);
  await vi.waitFor(() => expect(stub.received).toHaveLength(1));
  abort.abort(new Error('enough'));
  await expect(failed).rejects.toThrow('The call was aborted: enough');
  expect(stub.received).toHaveLength(1);
});

describe('after PAYLOAD_TOO_LARGE', () => {
  const tooLarge: Reply = { status: 413, code: 'PAYLOAD_TOO_LARGE' };

  test('the queries of a batch are sent once more, each in a request of its own', async () => {
    stub = await startStub(tooLarge, succeeded);
    const client = stub.client({ maxAttempts: 1, tenantId: 'A' });
    const ids = ['1', '2'];
    await Promise.all(ids.map((id) => client.apps.get.query({ id })));
    expect(stub.received.map(({ inputs }) => inputs.map(({ id }) => id)).toSorted()).toEqual([['1'], ['1', '2'], ['2']]);
    expect(stub.received.map(({ headers }) => headers['x-tenant-id'])).toEqual(['A', 'A', 'A']);
  });

  test('a query that was then sent alone fails', async () => {
    stub = await startStub(tooLarge);
    await expect(stub.client().apps.get.query({ id: '1' })).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
    expect(stub.received).toHaveLength(2);
  });

  test('a mutation fails at once', async () => {
    stub = await startStub(tooLarge, succeeded);
    await expect(stub.client().apps.create.mutate({ name: '1' })).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
    expect(stub.received).toHaveLength(1);
  });
});
