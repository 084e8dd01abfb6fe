import { afterEach, describe, expect, test, vi } from 'vitest';
import { type Call, creation, download, lost, query, type Reply, serveStub, startStub, succeeded, unavailable, upload } from './stub.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const limited: Reply = { status: 429, code: 'RATE_LIMITED' };
const inProgress: Reply = { status: 409, code: 'IDEMPOTENCY_KEY_IN_PROGRESS' };
const badGateway: Reply = { status: 502, headers: { 'content-type': 'text/html' } };
const uuid = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

const repeatable: [string, Call][] = [
  ['a query', query],
  ['a creation', creation],
  ['an assignment', (client) => client.memberships.assign.mutate({ userId: '1', tenantId: '2', persona: 'viewer' })],
  ['a link', (client) => client.service.organizations.link.mutate({ organizationId: '1' })],
  ['an upload of a Blob', upload],
  ['a download', download],
];
const changes: [string, Call][] = [
  ['an update', (client) => client.apps.update.mutate({ id: '1', name: 'Silo', etag: '"1"' })],
  ['a removal', (client) => client.apps.remove.mutate({ id: '1' })],
  ['an end of a membership', (client) => client.memberships.remove.mutate({ userId: '1', tenantId: '2' })],
];

/** Calls a stub whose first reply is the failure. Returns the outcome and the times of the requests. */
async function callAfter(failure: Reply | typeof lost, call: Call, options = {}): Promise<{ outcome: string; times: number[] }> {
  const stub = await serveStub(failure, succeeded);
  const outcome = await call(stub.client(options)).then(
    () => 'succeeded',
    () => 'failed',
  );
  await stub.stop();
  return { outcome, times: stub.received.map(({ time }) => time) };
}

/** The number of requests until the call succeeds or fails. */
async function requestsAfter(...args: Parameters<typeof callAfter>): Promise<[outcome: string, requests: number]> {
  const { outcome, times } = await callAfter(...args);
  return [outcome, times.length];
}

// Each call has a stub of its own, and most of the time is the pause before the second attempt.
describe.concurrent.each(repeatable)('%s', (_kind, call) => {
  test.each([lost, unavailable, limited, inProgress, badGateway] as const)('is repeated after %j', async (failure) => {
    expect(await requestsAfter(failure, call)).toEqual(['succeeded', 2]);
  });

  test.each([400, 401, 403, 404, 409, 412, 422, 500])('is not repeated after %i', async (status) => {
    expect(await requestsAfter({ status, code: 'OTHER' }, call)).toEqual(['failed', 1]);
  });

  test('is not repeated with maxAttempts: 1, or if Retry-After states more than 10 seconds', async () => {
    expect(await requestsAfter(unavailable, call, { maxAttempts: 1 })).toEqual(['failed', 1]);
    expect(await requestsAfter({ ...unavailable, headers: { 'retry-after': '11' } }, call)).toEqual(['failed', 1]);
  });

  test('waits as long as Retry-After states', async () => {
    const { times } = await callAfter({ ...unavailable, headers: { 'retry-after': '1' } }, call);
    const [first, second] = times as [number, number];
    expect(second - first).toBeGreaterThanOrEqual(990);
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

describe('the idempotency key', () => {
  test('is the same in all attempts of a creation, and differs between creations', async () => {
    // As on a page that is served by plain HTTP.
    vi.stubGlobal('crypto', { getRandomValues: crypto.getRandomValues.bind(crypto) });
    const stub = await startStub(lost, unavailable, succeeded);
    const client = stub.client();
    await Promise.all(['1', '2'].map((name) => client.apps.create.mutate({ name })));
    const inputs = stub.received.flatMap((request) => request.inputs);
    const [one, two] = ['1', '2'].map(
      (name) => new Set(inputs.filter((input) => input['name'] === name).map((input) => input['idempotencyKey'])),
    );
    expect([one?.size, two?.size, new Set([...one!, ...two!]).size]).toEqual([1, 1, 2]);
    for (const key of [...one!, ...two!]) expect(key).toMatch(uuid);
  });

  test('of an upload is a UUID, as is its boundary', async () => {
    vi.stubGlobal('crypto', { getRandomValues: crypto.getRandomValues.bind(crypto) });
    const stub = await startStub(succeeded);
    await upload(stub.client());
    const { 'idempotency-key': key, 'content-type': type } = stub.received[0]!.headers;
    expect(key).toMatch(uuid);
    expect(type?.split('boundary=profile-')[1]).toMatch(uuid);
  });

  test('of the caller is kept', async () => {
    const stub = await startStub(unavailable, succeeded);
    await stub.client().apps.create.mutate({ name: 'Silo', idempotencyKey: 'mine' });
    expect(stub.received.map(({ inputs }) => inputs[0]?.['idempotencyKey'])).toEqual(['mine', 'mine']);
  });

  test('is not added without retries, nor to the upload of a stream, which is not repeated', async () => {
    const stream = () => new Blob(['x']).stream() as unknown as AsyncIterable<Uint8Array>;
    const stub = await startStub(succeeded, succeeded, unavailable, succeeded);
    const once = stub.client({ maxAttempts: 1 });
    await creation(once);
    await upload(once);
    await expect(stub.client().attachments.upload(stream())).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await stub.client().attachments.upload(stream(), {}, { idempotencyKey: 'mine' });
    expect(stub.received[0]?.inputs[0]).toEqual({ name: 'Silo' });
    expect(stub.received.map(({ headers }) => headers['idempotency-key'])).toEqual([undefined, undefined, undefined, 'mine']);
  });
});

test('a call has at most three attempts', async () => {
  const stub = await startStub(lost);
  await expect(query(stub.client())).rejects.toThrow('fetch failed');
  expect(stub.received).toHaveLength(3);
});

test('a token that cannot be had is asked for once', async () => {
  const stub = await startStub(succeeded);
  const token = vi.fn<() => Promise<string>>(() => Promise.reject(new Error('login')));
  await expect(query(stub.client({ token }))).rejects.toThrow('login');
  expect(token).toHaveBeenCalledTimes(1);
});

test('a call has as many attempts as maxAttempts allows, with pauses of at most 15 seconds', async () => {
  const stub = await startStub(succeeded);
  vi.useFakeTimers();
  const times: number[] = [];
  const fetch = () => {
    times.push(Date.now());
    return Promise.reject(new TypeError('offline'));
  };
  const failed = download(stub.client({ fetch, maxAttempts: 12 }));
  failed.catch(() => undefined);
  await vi.runAllTimersAsync();
  await expect(failed).rejects.toThrow('offline');
  expect(times).toHaveLength(12);
  const pauses = times.slice(1).map((time, index) => time - times[index]!);
  expect(Math.min(...pauses.slice(6))).toBeGreaterThanOrEqual(10_000);
  expect(Math.max(...pauses)).toBeLessThanOrEqual(15_000);
});

test.each([
  ['a query', query],
  ['an upload', upload],
])('a signal ends the pause before the next attempt of %s', async (_kind, call) => {
  const stub = await startStub({ ...unavailable, headers: { 'retry-after': '9' } });
  const abort = new AbortController();
  const failed = call(stub.client(), { signal: abort.signal });
  failed.catch(() => undefined);
  await vi.waitFor(() => expect(stub.received).toHaveLength(1));
  abort.abort(new Error('enough'));
  await expect(failed).rejects.toThrow('The call was aborted: enough');
  expect(stub.received).toHaveLength(1);
});

describe('after PAYLOAD_TOO_LARGE', () => {
  const tooLarge: Reply = { status: 413, code: 'PAYLOAD_TOO_LARGE' };

  test('the queries of a batch are sent once more, each in a request of its own', async () => {
    const stub = await startStub(tooLarge, succeeded);
    const client = stub.client({ maxAttempts: 1, tenantId: 'A' });
    await Promise.all(['1', '2'].map((id) => client.apps.get.query({ id })));
    expect(stub.received.map(({ inputs }) => inputs.map(({ id }) => id)).toSorted()).toEqual([['1'], ['1', '2'], ['2']]);
    expect(stub.received.map(({ headers }) => headers['x-tenant-id'])).toEqual(['A', 'A', 'A']);
  });

  test.each([
    ['a query that was then sent alone', query, 2],
    ['a mutation', creation, 1],
  ])('%s fails', async (_kind, call, requests) => {
    const stub = await startStub(tooLarge);
    await expect(call(stub.client())).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
    expect(stub.received).toHaveLength(requests);
  });
});
