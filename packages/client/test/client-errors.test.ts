import { Readable } from 'node:stream';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { isProfileError, type ProfileClient } from '../src/index.ts';
import { startStub, type Stub, succeeded } from './stub.ts';

let stub: Stub;
afterEach(async () => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  await stub.stop();
});

type Call = (client: ProfileClient) => Promise<unknown>;
const calls: [string, Call][] = [
  ['a query', (client) => client.apps.get.query({ id: '1' })],
  ['a creation', (client) => client.apps.create.mutate({ name: 'Silo' })],
  ['an upload', (client) => client.attachments.upload(new Blob(['x']))],
  ['a download', (client) => client.attachments.download('1')],
];
const errorOf = (call: Promise<unknown>) => call.catch((error: unknown) => error);
const fail = () => {
  throw new Error('no element');
};

describe.each(calls)('%s fails at once with CLIENT_ERROR', (_kind, call) => {
  /** Counts the requests, also those that `fetch` rejects. */
  const failedWith = async (options: object) => {
    stub = await startStub(succeeded);
    const fetch = vi.spyOn(globalThis, 'fetch');
    const error = await errorOf(call(stub.client(options)));
    expect(isProfileError(error, 'CLIENT_ERROR')).toBe(true);
    expect(fetch).toHaveBeenCalledTimes(1);
    return error as Error;
  };

  test.each(['localhost:3000', 'nowhere', '', 'http://user:secret@localhost'])(
    'if the URL is %j, without a secret in the error',
    async (url) => {
      const { message, cause } = await failedWith({ url });
      expect(message).toContain(`The URL of the service is invalid: ${url.replace('user:secret', '***')}/`);
      expect(message).not.toContain('?');
      expect(cause).toBeUndefined();
    },
  );

  test.each(['secret\n1', 'secret ü €'])('if the token is %j, without the token in the error', async (token) => {
    const error = await failedWith({ token });
    expect(error.message).toBe('The token, the tenant or the idempotency key is not a valid header value');
    expect(error.cause).toBeUndefined();
  });

  test('if the tenant is no header value', async () => {
    expect((await failedWith({ tenantId: 'a\nb' })).message).toContain('not a valid header value');
  });
});

test('an unreachable service is CONNECTION_FAILED, also by a fetch of the caller that knows relative URLs', async () => {
  stub = await startStub(succeeded);
  const error = await errorOf(stub.client({ url: 'http://127.0.0.1:1', maxAttempts: 1 }).apps.get.query({ id: '1' }));
  expect(error).toMatchObject({ code: 'CONNECTION_FAILED' });
  const fetch = () => Promise.reject(new TypeError('offline'));
  const relative = await errorOf(stub.client({ url: '/profile', fetch, maxAttempts: 1 }).apps.get.query({ id: '1' }));
  expect(relative).toMatchObject({ code: 'CONNECTION_FAILED' });
});

describe('a failing onProgress is a CLIENT_ERROR', () => {
  const expected = { code: 'CLIENT_ERROR', message: 'no element' };

  test('of the upload of a Blob, which is not repeated', async () => {
    stub = await startStub(succeeded);
    const onProgress = vi.fn<() => void>(fail);
    await expect(stub.client().attachments.upload(new Blob(['x']), {}, { onProgress })).rejects.toMatchObject(expected);
    expect(onProgress).toHaveBeenCalledTimes(1);
  });
});

test('a stream that cannot be read is a CLIENT_ERROR with its cause', async () => {
  stub = await startStub(succeeded);
  const cause = new Error('The disk failed');
  const source = Readable.from(
    (async function* () {
      yield new Uint8Array(1);
      throw cause;
    })(),
  ) as AsyncIterable<Uint8Array>;
  await expect(stub.client().attachments.upload(source)).rejects.toMatchObject({ code: 'CLIENT_ERROR', message: cause.message, cause });
});
