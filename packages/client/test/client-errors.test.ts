import { Readable } from 'node:stream';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { ProfileClient, ProfileClientOptions } from '../src/index.ts';
import { calls, creation, query, startStub, succeeded, upload } from './stub.ts';

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const invalidUrl = (url: string) => `The URL of the service is invalid: ${url}/`;
const invalidHeader = 'The token, the tenant or the idempotency key is not a valid header value';

describe.each(calls)('%s fails at once with CLIENT_ERROR, without a secret,', (_kind, call) => {
  test.each<[Partial<ProfileClientOptions>, message: string]>([
    [{ url: 'localhost:3000' }, invalidUrl('localhost:3000')],
    [{ url: 'nowhere' }, invalidUrl('nowhere')],
    [{ url: '' }, invalidUrl('')],
    [{ url: 'http://user:secret@localhost' }, invalidUrl('http://***@localhost')],
    [{ token: 'secret\n1' }, invalidHeader],
    [{ token: 'secret ü €' }, invalidHeader],
    [{ tenantId: 'a\nb' }, invalidHeader],
  ])('with %j', async (options, message) => {
    const stub = await startStub(succeeded);
    // Counts also the requests that `fetch` rejects.
    const fetch = vi.spyOn(globalThis, 'fetch');
    const error: unknown = await call(stub.client(options)).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'CLIENT_ERROR', message: expect.stringContaining(message), cause: undefined });
    expect((error as Error).message).not.toMatch(/secret|\?/);
    expect(fetch).toHaveBeenCalledTimes(1);
  });
});

test('an unreachable service is CONNECTION_FAILED, also by a fetch of the caller that knows relative URLs', async () => {
  const stub = await startStub(succeeded);
  await expect(query(stub.client({ url: 'http://127.0.0.1:1', maxAttempts: 1 }))).rejects.toMatchObject({ code: 'CONNECTION_FAILED' });
  const fetch = () => Promise.reject(new TypeError('offline'));
  await expect(query(stub.client({ url: '/profile', fetch, maxAttempts: 1 }))).rejects.toMatchObject({ code: 'CONNECTION_FAILED' });
});

test('an upload whose onProgress throws is a CLIENT_ERROR, and is not repeated', async () => {
  const stub = await startStub(succeeded);
  const onProgress = vi.fn<() => void>(() => {
    throw new Error('no element');
  });
  const failed = stub.client().attachments.upload(new Blob(['x']), {}, { onProgress });
  await expect(failed).rejects.toMatchObject({ code: 'CLIENT_ERROR', message: 'no element' });
  expect(onProgress).toHaveBeenCalledTimes(1);
});

test('a stream that cannot be read is a CLIENT_ERROR with its cause', async () => {
  const stub = await startStub(succeeded);
  const cause = new Error('The disk failed');
  const source = Readable.from(
    (async function* () {
      yield new Uint8Array(1);
      throw cause;
    })(),
  ) as AsyncIterable<Uint8Array>;
  await expect(stub.client().attachments.upload(source)).rejects.toMatchObject({ code: 'CLIENT_ERROR', message: cause.message, cause });
});

test.each<[string, (client: ProfileClient) => Promise<unknown>]>([
  ['a creation without random numbers', creation],
  ['an upload without random numbers', upload],
  ['an upload of nothing', (client) => client.attachments.upload(undefined as never)],
  ['a download of an id that no URL can contain', (client) => client.attachments.download('\uD800')],
  ['an input that JSON cannot represent', (client) => client.apps.get.query({ id: 1n as unknown as string })],
])('%s is a CLIENT_ERROR without a request', async (_what, call) => {
  const stub = await startStub(succeeded);
  vi.stubGlobal('crypto', {});
  await expect(call(stub.client())).rejects.toMatchObject({ name: 'ProfileError', code: 'CLIENT_ERROR' });
  expect(stub.received).toEqual([]);
});

test('a subscription is a CLIENT_ERROR that names what to use instead', async () => {
  const stub = await startStub(succeeded);
  expect(() => stub.client().events.stream.subscribe(undefined, {})).toThrow(
    expect.objectContaining({ name: 'ProfileError', code: 'CLIENT_ERROR', message: expect.stringContaining('httpSubscriptionLink') }),
  );
  expect(stub.received).toEqual([]);
});
