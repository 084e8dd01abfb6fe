import { TRPCClientError } from '@trpc/client';
import { describe, expect, test, vi } from 'vitest';
import { isProfileError, type ProfileClient, ProfileError } from '../src/index.ts';
import { calls, lost, query, type Reply, startStub, succeeded } from './stub.ts';

const clientOf = async (reply: Reply | typeof lost, options = {}): Promise<ProfileClient> =>
  (await startStub(reply)).client({ maxAttempts: 1, ...options });

/** The error of a call. */
const errorOf = (call: Promise<unknown>): Promise<ProfileError> =>
  call.then(
    () => expect.unreachable('The call succeeded'),
    (error: ProfileError) => error,
  );

const safeCalls: [string, (client: ProfileClient) => Promise<{ ok: boolean }>, method: string][] = [
  ['a query', (client) => client.apps.get.safe({ id: '1' }), 'GET'],
  ['a mutation', (client) => client.apps.create.safe({ name: 'Silo' }), 'POST'],
  ['an upload', (client) => client.attachments.upload.safe(new Blob(['x'])), 'POST'],
  ['a download', (client) => client.attachments.download.safe('1'), 'GET'],
];

const invalid: Reply = {
  status: 400,
  code: 'VALIDATION_FAILED',
  problem: { detail: 'name: too long', instance: 'request-1', errors: [{ path: 'name', message: 'too long' }] },
};
const problem = {
  name: 'ProfileError',
  code: 'VALIDATION_FAILED',
  message: 'name: too long',
  status: 400,
  requestId: 'request-1',
  fieldErrors: [{ path: 'name', message: 'too long' }],
  problem: { code: 'VALIDATION_FAILED', status: 400 },
};
const html = { 'content-type': 'text/html', 'x-request-id': 'proxy-1' };
const limited = (header: string): Reply => ({ status: 429, code: 'RATE_LIMITED', headers: { 'retry-after': header } });

describe.each(calls)('%s', (_kind, call) => {
  test.each<[string, Reply | typeof lost, object]>([
    ['the problem of the service', invalid, problem],
    [
      'a code that this version does not know',
      { status: 418, code: 'TEAPOT' },
      { code: 'TEAPOT', status: 418, message: 'stub', fieldErrors: [] },
    ],
    ['the seconds of Retry-After', limited('7'), { retryAfter: 7 }],
    ['0 seconds for a Retry-After in the past', limited('Thu, 01 Jan 2015 00:00:00 GMT'), { retryAfter: 0 }],
    ['no seconds for an invalid Retry-After', limited('soon'), { retryAfter: undefined }],
    [
      'INVALID_RESPONSE for the page of a proxy',
      { status: 502, headers: html, body: '<h1>Bad gateway</h1>' },
      { code: 'INVALID_RESPONSE', status: 502, requestId: 'proxy-1', problem: undefined },
    ],
    [
      'INVALID_RESPONSE for an error of another service',
      { status: 403, headers: { 'content-type': 'application/json' }, body: '{"message":"Forbidden"}' },
      { code: 'INVALID_RESPONSE', status: 403 },
    ],
    [
      'CONNECTION_FAILED without a response',
      lost,
      {
        code: 'CONNECTION_FAILED',
        status: undefined,
        cause: { message: 'fetch failed' },
        message: expect.stringMatching(/^The connection to the service failed: fetch failed \(.+\)$/),
      },
    ],
  ])('throws %s', async (_what, reply, expected) => {
    const error = await errorOf(call(await clientOf(reply)));
    expect(error).toBeInstanceOf(ProfileError);
    expect(error).toBeInstanceOf(TRPCClientError);
    expect(error).toMatchObject(expected);
  });

  test('throws ABORTED with the reason of the signal', async () => {
    const stub = await startStub(succeeded);
    const signal = AbortSignal.abort(new Error('enough'));
    expect(await errorOf(call(stub.client(), { signal }))).toMatchObject({ code: 'ABORTED', cause: signal.reason as unknown });
    expect(stub.received).toEqual([]);
  });

  test('throws TOKEN_FAILED if its token fails', async () => {
    const token = () => Promise.reject(new Error('logged out'));
    const error = await errorOf(call(await clientOf(succeeded, { token })));
    expect(error).toMatchObject({ code: 'TOKEN_FAILED', message: 'The token could not be obtained: logged out' });
  });

  test.each([undefined, null, ''])('sends no header for a token and a tenant that are %j', async (nothing) => {
    const stub = await startStub(succeeded);
    const returnNothing = () => nothing;
    await call(stub.client({ token: nothing, tenantId: nothing }));
    await call(stub.client({ token: returnNothing, tenantId: returnNothing }));
    expect(stub.received).toHaveLength(2);
    for (const { headers } of stub.received) expect([headers.authorization, headers['x-tenant-id']]).toEqual([undefined, undefined]);
  });
});

test.each(safeCalls)('safe of %s returns the data or the error', async (_kind, call, method) => {
  const stub = await startStub(succeeded, invalid, lost);
  const client = stub.client({ maxAttempts: 1 });
  expect(await call(client)).toMatchObject({ ok: true, data: {} });
  expect(await call(client)).toMatchObject({ ok: false, error: { code: 'VALIDATION_FAILED', requestId: 'request-1' } });
  expect(await call(client)).toMatchObject({ ok: false, error: { code: 'CONNECTION_FAILED' } });
  expect(stub.received.map((request) => request.method)).toEqual([method, method, method]);
});

test('a call of a batch that is aborted rejects at once, and the others succeed', async () => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const fetch = vi.fn<typeof globalThis.fetch>(async (...args) => {
    await held;
    return await globalThis.fetch(...args);
  });
  const stub = await startStub(succeeded);
  const client = stub.client({ fetch });
  const abort = new AbortController();
  const aborted = errorOf(query(client, { signal: abort.signal }));
  const other = client.apps.get.query({ id: '2' });
  await vi.waitFor(() => expect(fetch).toHaveBeenCalled());
  abort.abort();
  expect((await aborted).code).toBe('ABORTED');
  release();
  expect(await other).toMatchObject({ id: '1' });
  expect(stub.received.map(({ inputs }) => inputs)).toEqual([[{ id: '1' }, { id: '2' }]]);
});

describe('isProfileError', () => {
  const error = new ProfileError({ code: 'APP_IN_USE', message: 'in use' });

  test('checks the class and the codes', () => {
    expect(isProfileError(error)).toBe(true);
    expect(isProfileError(error, 'APP_NOT_FOUND', 'APP_IN_USE')).toBe(true);
    expect(isProfileError(error, 'APP_NOT_FOUND')).toBe(false);
    const others = [new Error('other'), undefined, null, 'APP_IN_USE', { code: 'APP_IN_USE' }, new TRPCClientError('other')];
    expect(others.filter((other) => isProfileError(other))).toEqual([]);
  });

  test('knows the errors of another copy of the package', async () => {
    const path = '../src/error.ts?copy';
    const copy = (await import(path)) as { ProfileError: typeof ProfileError };
    const foreign = new copy.ProfileError({ code: 'APP_IN_USE', message: 'in use' });
    expect(foreign).not.toBeInstanceOf(ProfileError);
    expect(isProfileError(foreign, 'APP_IN_USE')).toBe(true);
  });
});
