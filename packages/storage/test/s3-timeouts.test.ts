import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createS3Storage } from '../src/s3/s3-storage.ts';
import { readS3Settings } from '../../../test/storage/stored-objects.ts';

/** Starts a server in place of S3, and creates storages that use it. */
async function startS3(listener: RequestListener) {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const settings = (changes: Record<string, string>) =>
    readS3Settings({
      STORAGE_ENDPOINT: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      STORAGE_BUCKET: 'bucket',
      STORAGE_ACCESS_KEY_ID: 'key',
      STORAGE_SECRET_ACCESS_KEY: 'secret',
      ...changes,
    });
  return (changes: Record<string, string>) => {
    const storage = createS3Storage(settings(changes));
    onTestFinished(() => storage.close());
    return storage;
  };
}

/** Whether the promise is not settled. */
function isPending(promise: Promise<unknown>): () => boolean {
  let pending = true;
  const settle = () => (pending = false);
  promise.then(settle, settle);
  return () => pending;
}

test('STORAGE_TIMEOUT_SECONDS: a request without a response fails', async () => {
  const create = await startS3(() => undefined);
  const isWaiting = isPending(create({ STORAGE_TIMEOUT_SECONDS: '50' }).has('a.pdf'));
  await expect(create({ STORAGE_TIMEOUT_SECONDS: '1' }).has('a.pdf')).rejects.toMatchObject({ name: 'TimeoutError' });
  expect(isWaiting()).toBe(true);
});

test('STORAGE_CONNECT_TIMEOUT_SECONDS: a request without a connection fails, also if the pool has none', async () => {
  const create = await startS3(() => undefined);
  const one = { STORAGE_POOL_MAX: '1', STORAGE_TIMEOUT_SECONDS: '50' };
  const [long, short] = [
    create({ ...one, STORAGE_CONNECT_TIMEOUT_SECONDS: '30' }),
    create({ ...one, STORAGE_CONNECT_TIMEOUT_SECONDS: '1' }),
  ];
  const held = [long, short].map((storage) => isPending(storage.has('a.pdf')));
  const isWaiting = isPending(long.has('b.pdf'));
  await expect(short.has('b.pdf')).rejects.toThrow('did not establish a connection');
  expect([...held, isWaiting].map((each) => each())).toEqual([true, true, true]);
});

test.each([
  ['STORAGE_POOL_MAX', 'has'],
  ['STORAGE_DOWNLOAD_POOL_MAX', 'open'],
] as const)('%s limits the connections', async (setting, method) => {
  let [open, most] = [0, 0];
  const create = await startS3((_request, response) => {
    open += 1;
    most = Math.max(most, open);
    setTimeout(() => {
      open -= 1;
      response.end();
    }, 50);
  });
  const storage = create({ [setting]: '2' });
  const use = async () => {
    const result = await storage[method]('a.pdf');
    // A download has its connection until it was read.
    if (typeof result === 'object') result.content.resume();
  };
  await Promise.all(Array.from({ length: 8 }, use));
  expect(most).toBe(2);
});
