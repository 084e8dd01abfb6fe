import { afterEach, describe, expect, test, vi } from 'vitest';
import type { ProfileClient, Progress } from '../src/index.ts';
import { startStub, type Stub, succeeded } from './stub.ts';

let stub: Stub;
afterEach(async () => {
  vi.unstubAllGlobals();
  await stub.stop();
});

const uuid = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

describe('without crypto.randomUUID, as on a page that is served by plain HTTP', () => {
  const getRandomValues = crypto.getRandomValues.bind(crypto);

  test('creations have a UUID as their key', async () => {
    stub = await startStub(succeeded);
    vi.stubGlobal('crypto', { getRandomValues });
    const client = stub.client();
    await client.apps.create.mutate({ name: '1' });
    await client.apps.create.mutate({ name: '2' });
    const [one, two] = stub.received.map(({ inputs }) => inputs[0]?.['idempotencyKey']);
    expect(one).toMatch(uuid);
    expect(two).toMatch(uuid);
    expect(one).not.toBe(two);
  });

  test('uploads have a UUID as their key and in their boundary', async () => {
    stub = await startStub(succeeded);
    vi.stubGlobal('crypto', { getRandomValues });
    await stub.client().attachments.upload(new Blob(['x']));
    const { 'idempotency-key': key, 'content-type': type } = stub.received[0]!.headers;
    expect(key).toMatch(uuid);
    expect(type?.split('boundary=profile-')[1]).toMatch(uuid);
  });
});

describe('a call that cannot be prepared fails with CLIENT_ERROR:', () => {
  const failing: [string, (client: ProfileClient) => Promise<unknown>][] = [
    ['a creation without random numbers', (client) => client.apps.create.mutate({ name: '1' })],
    ['an upload without random numbers', (client) => client.attachments.upload(new Blob(['x']))],
    ['an upload of nothing', (client) => client.attachments.upload(undefined as never)],
    ['a download of an id that no URL can contain', (client) => client.attachments.download('\uD800')],
  ];
  test.each(failing)('%s', async (_what, call) => {
    stub = await startStub(succeeded);
    vi.stubGlobal('crypto', {});
    await expect(call(stub.client())).rejects.toMatchObject({ name: 'ProfileError', code: 'CLIENT_ERROR' });
    expect(stub.received).toEqual([]);
  });
});

test.each([
  ["attachment; filename*=UTF-8''%C3%A4.pdf", 'ä.pdf'],
  ['attachment; filename="plain.pdf"; filename*=UTF-8\'\'%E0%A4%A', 'plain.pdf'],
  ["attachment; filename*=UTF-8''%E0%A4%A", 'file'],
])('a download with the header %j has the file name %j', async (disposition, filename) => {
  stub = await startStub({ ...succeeded, headers: { 'content-disposition': disposition } });
  expect((await stub.client().attachments.download('1')).filename).toBe(filename);
});

test.each([
  ['with', { 'content-length': '3' }, { size: 3 }, { loaded: 3, total: 3 }],
  ['without', {}, {}, { loaded: 3 }],
])('a download %s Content-Length', async (_with, headers, size, progress) => {
  stub = await startStub(succeeded);
  const fetch = () => Promise.resolve(new Response(new Uint8Array(3), { headers }));
  const onProgress = vi.fn<(progress: Progress) => void>();
  const { bytes, ...file } = await stub.client({ fetch }).attachments.download('1', { onProgress });
  expect('size' in file ? { size: file.size } : {}).toEqual(size);
  await bytes();
  expect(onProgress.mock.lastCall).toEqual([progress]);
});
