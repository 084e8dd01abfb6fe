import { TRPCClientError } from '@trpc/client';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { isProfileError, type ProfileClient, type ProfileClientOptions, ProfileError } from '../src/index.ts';
import { lost, type Reply, startStub, type Stub, succeeded } from './stub.ts';

let stub: Stub | undefined;
afterEach(() => stub?.stop());

async function clientOf(reply: Reply | typeof lost, options = {}): Promise<ProfileClient> {
  stub = await startStub(reply);
  return stub.client({ maxAttempts: 1, ...options });
}

/** The error of a call. */
const errorOf = (call: Promise<unknown>): Promise<ProfileError> =>
  call.then(
    () => expect.unreachable('The call succeeded'),
    (error: ProfileError) => error,
  );

type Call = (client: ProfileClient, options?: { signal?: AbortSignal }) => Promise<unknown>;
const calls: [string, Call][] = [
  ['a query', (client, options) => client.apps.get.query({ id: '1' }, options)],
  ['a mutation', (client, options) => client.apps.create.mutate({ name: 'Silo' }, options)],
  ['an upload', (client, options) => client.attachments.upload(new Blob(['x']), {}, options)],
  ['a download', (client, options) => client.attachments.download('1', options)],
];
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

describe.each(calls)('%s', (_kind, call) => {
  test('throws the problem of the service as a ProfileError', async () => {
    const error = await errorOf(call(await clientOf(invalid)));
    expect(error).toBeInstanceOf(ProfileError);
    expect(error).toBeInstanceOf(TRPCClientError);
    expect(error).toMatchObject({
      name: 'ProfileError',
      code: 'VALIDATION_FAILED',
      message: 'name: too long',
      status: 400,
      requestId: 'request-1',
      fieldErrors: [{ path: 'name', message: 'too long' }],
      problem: { code: 'VALIDATION_FAILED', status: 400 },
    });
  });

  test('throws a code that this version does not know', async () => {
    const error = await errorOf(call(await clientOf({ status: 418, code: 'TEAPOT' })));
    expect(error).toMatchObject({ code: 'TEAPOT', status: 418, message: 'stub', fieldErrors: [] });
  });

  test.each([
    ['7', 7],
    ['Thu, 01 Jan 2015 00:00:00 GMT', 0],
    ['soon', undefined],
  ])('throws for Retry-After: %s the seconds %s', async (header, seconds) => {
    const error = await errorOf(call(await clientOf({ status: 429, code: 'RATE_LIMITED', headers: { 'retry-after': header } })));
    expect(error.retryAfter).toBe(seconds);
  });

  test('throws INVALID_RESPONSE for the page of a proxy', async () => {
    const page: Reply = { status: 502, headers: { 'content-type': 'text/html', 'x-request-id': 'proxy-1' }, body: '<h1>Bad gateway</h1>' };
    const error = await errorOf(call(await clientOf(page)));
    expect(error).toMatchObject({ code: 'INVALID_RESPONSE', status: 502, requestId: 'proxy-1', problem: undefined });
  });

  test('throws INVALID_RESPONSE for an error of another service', async () => {
    const foreign: Reply = { status: 403, headers: { 'content-type': 'application/json' }, body: '{"message":"Forbidden"}' };
    expect(await errorOf(call(await clientOf(foreign)))).toMatchObject({ code: 'INVALID_RESPONSE', status: 403 });
  });

  test('throws CONNECTION_FAILED without a response', async () => {
    const error = await errorOf(call(await clientOf(lost)));
    expect(error).toMatchObject({ code: 'CONNECTION_FAILED', status: undefined, cause: { message: 'fetch failed' } });
    expect(error.message).toMatch(/^The connection to the service failed: fetch failed \(.+\)$/);
  });

  test('throws ABORTED with the reason of the signal', async () => {
    const client = await clientOf(succeeded);
    const signal = AbortSignal.abort(new Error('enough'));
    expect(await errorOf(call(client, { signal }))).toMatchObject({ code: 'ABORTED', cause: signal.reason as unknown });
    expect(stub?.received).toEqual([]);
  });

  test('throws TOKEN_FAILED if its token fails', async () => {
    const token = () => Promise.reject(new Error('logged out'));
    const error = await errorOf(call(await clientOf(succeeded, { token })));
    expect(error).toMatchObject({ code: 'TOKEN_FAILED', message: 'The token could not be obtained: logged out' });
  });
});

describe.each(safeCalls)('safe of %s', (_kind, call, method) => {
  test('returns the data', async () => {
    expect(await call(await clientOf(succeeded))).toMatchObject({ ok: true, data: {} });
    expect(stub?.received.map((request) => request.method)).toEqual([method]);
  });

  test('returns the error', async () => {
    expect(await call(await clientOf(invalid))).toMatchObject({ ok: false, error: { code: 'VALIDATION_FAILED', requestId: 'request-1' } });
    await stub?.stop();
    expect(await call(await clientOf(lost))).toMatchObject({ ok: false, error: { code: 'CONNECTION_FAILED' } });
  });
});

test('an input that JSON cannot represent is a CLIENT_ERROR', async () => {
  const client = await clientOf(succeeded);
  const error = await errorOf(client.apps.get.query({ id: 1n as unknown as string }));
  expect(error).toMatchObject({ code: 'CLIENT_ERROR', cause: { name: 'TypeError' } });
});

test('a call of a batch that is aborted rejects at once, and the others succeed', async () => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const fetch = vi.fn<typeof globalThis.fetch>(async (...args) => {
    await held;
    return await globalThis.fetch(...args);
  });
  const client = await clientOf(succeeded, { fetch });
  const abort = new AbortController();
  const aborted = errorOf(client.apps.get.query({ id: '1' }, { signal: abort.signal }));
  const other = client.apps.get.query({ id: '2' });
  await vi.waitFor(() => expect(fetch).toHaveBeenCalled());
  abort.abort();
  expect((await aborted).code).toBe('ABORTED');
  release();
  expect(await other).toMatchObject({ id: '1' });
  expect(stub?.received.map(({ inputs }) => inputs)).toEqual([[{ id: '1' }, { id: '2' }]]);
});

test('the content of a download that breaks off is CONNECTION_FAILED, and ABORTED after an abort', async () => {
  const chunks = (signal?: AbortSignal | null) =>
    new ReadableStream({
      start(controller) {
        controller.enqueue(new Uint8Array(3));
        if (signal) signal.addEventListener('abort', () => controller.error(new TypeError('network error')));
        else controller.error(new TypeError('network error'));
      },
    });
  const fetch = (_url: unknown, init?: RequestInit) => Promise.resolve(new Response(chunks(init?.signal)));
  const client = await clientOf(succeeded, { fetch });
  const broken = await client.attachments.download('1');
  expect(await errorOf(broken.bytes())).toMatchObject({ code: 'CONNECTION_FAILED' });
  const abort = new AbortController();
  const aborted = await client.attachments.download('1', { signal: abort.signal });
  const error = errorOf(aborted.blob());
  abort.abort();
  expect(await error).toMatchObject({ code: 'ABORTED' });
});

describe('isProfileError', () => {
  const error = new ProfileError({ code: 'APP_IN_USE', message: 'in use' });

  test('checks the class and the codes', () => {
    expect(isProfileError(error)).toBe(true);
    expect(isProfileError(error, 'APP_IN_USE')).toBe(true);
    expect(isProfileError(error, 'APP_NOT_FOUND', 'APP_IN_USE')).toBe(true);
    expect(isProfileError(error, 'APP_NOT_FOUND')).toBe(false);
    const others = [new Error('other'), undefined, null, 'APP_IN_USE', { code: 'APP_IN_USE' }, new TRPCClientError('other')];
    expect(others.map((other) => isProfileError(other))).toEqual(others.map(() => false));
  });

  test('knows the errors of another copy of the package', async () => {
    const path = '../src/error.ts?copy';
    const copy = (await import(path)) as { ProfileError: typeof ProfileError };
    const foreign = new copy.ProfileError({ code: 'APP_IN_USE', message: 'in use' });
    expect(foreign).not.toBeInstanceOf(ProfileError);
    expect(isProfileError(foreign, 'APP_IN_USE')).toBe(true);
  });
});

describe('the options', () => {
  const headersWith = async (options: Partial<ProfileClientOptions>) => {
    const client = await clientOf(succeeded, options);
    await client.apps.get.query({ id: '1' });
    await client.attachments.download('1');
    await stub?.stop();
    return stub?.received.map(({ headers }) => [headers.authorization, headers['x-tenant-id']]);
  };
  test.each([undefined, null, ''])('token and tenantId send no header for %j', async (nothing) => {
    const none = [undefined, undefined];
    expect(await headersWith({ token: nothing, tenantId: nothing })).toEqual([none, none]);
    const returnNothing = () => nothing;
    expect(await headersWith({ token: returnNothing, tenantId: returnNothing })).toEqual([none, none]);
  });
});
