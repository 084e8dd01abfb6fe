import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { timeLimitFor } from '../src/s3/time-limit.ts';
import type { Storage } from '../src/storage.ts';
import { startS3Storage } from '../../../test/storage/s3-storage.ts';

const gib = 1024 ** 3;
/** A server in place of S3 that never responds. */
const server = createServer();
let storage: Storage;

beforeEach(async () => (storage = await startS3Storage(server, { STORAGE_TIMEOUT_SECONDS: '1' })));
afterEach(async () => {
  storage.close();
  server.closeAllConnections();
  await once(server.close(), 'close');
});

const signal = new AbortController().signal;
const copy = (size: number, options = { signal }) => storage.copy('a.pdf', 'b.pdf', { size, ...options });

test('a copy has more time the larger the file is', async () => {
  expect(timeLimitFor(0, 1_000)).toBe(1_000);
  expect(timeLimitFor(5 * gib, 1_000)).toBeGreaterThan(4 * 60_000);
  const large = copy(5 * gib);
  const settled = large.then(
    () => true,
    () => true,
  );
  await expect(copy(1)).rejects.toMatchObject({ name: 'TimeoutError' });
  expect(await Promise.race([settled, Promise.resolve(false)])).toBe(false);
});

test('an aborted copy ends its request', async () => {
  const request = Promise.withResolvers<IncomingMessage>();
  const listener = (received: IncomingMessage) => request.resolve(received);
  server.on('request', listener);
  onTestFinished(() => void server.off('request', listener));
  const disconnected = new AbortController();
  const copying = copy(5 * gib, { signal: disconnected.signal });
  const closed = once((await request.promise).socket, 'close');
  const reason = new Error('The client has disconnected');
  disconnected.abort(reason);
  await expect(copying).rejects.toBe(reason);
  await closed;
});
