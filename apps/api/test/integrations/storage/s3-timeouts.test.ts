import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createClient } from '../../../src/integrations/storage/s3/client.ts';
import { createS3Storage } from '../../../src/integrations/storage/s3/s3-storage.ts';
import { readS3Settings } from '../../support/stored-objects.ts';

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

test('STORAGE_TIMEOUT_SECONDS: a request without a response fails', async () => {
  const create = await startS3(() => undefined);
  let hasEnded = false;
  const patient = create({ STORAGE_TIMEOUT_SECONDS: '50' });
  const waiting = patient.has('a.pdf').finally(() => (hasEnded = true));
  waiting.catch(() => undefined);
  await expect(create({ STORAGE_TIMEOUT_SECONDS: '1' }).has('a.pdf')).rejects.toMatchObject({ name: 'TimeoutError' });
  expect(hasEnded).toBe(false);
});

test('STORAGE_CONNECT_TIMEOUT_SECONDS is the timeout of connections', async () => {
  const create = await startS3((_request, response) => response.end());
  await create({}).has('a.pdf');
  const client = createClient(readS3Settings({ STORAGE_ENDPOINT: 'http://localhost:1', STORAGE_CONNECT_TIMEOUT_SECONDS: '3' }), 1);
  onTestFinished(() => client.destroy());
  // The handler resolves its options at the first request.
  await client.config.requestHandler.handle({} as never).catch(() => undefined);
  expect(client.config.requestHandler.httpHandlerConfigs()).toMatchObject({ connectionTimeout: 3_000 });
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
