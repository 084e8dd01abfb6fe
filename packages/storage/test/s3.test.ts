import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { Readable } from 'node:stream';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { listen } from '../../../test/listen.ts';
import { createS3Storage } from '../src/s3/s3-storage.ts';
import { timeLimitFor } from '../src/s3/time-limit.ts';
import { readS3Settings } from '../../../test/storage/stored-objects.ts';
import { startStubS3 } from '../../../test/storage/stub-s3.ts';

const mib = 1024 * 1024;

const stub = await startStubS3();
const { STORAGE_DIR: _none, ...named } = stub.settings;
const storage = createS3Storage(readS3Settings(named));
afterAll(async () => {
  storage.close();
  await stub.stop();
});

const file = (bytes: number) => Readable.from([randomBytes(bytes)]);

// Other operations have up to 200 connections.
test('201 downloads that clients do not read leave connections for other operations', async () => {
  await storage.put('held.pdf', file(64 * 1024), 'application/pdf');
  const held = await Promise.all(Array.from({ length: 201 }, () => storage.open('held.pdf')));
  await storage.check();
  await storage.put('other.pdf', file(1000), 'application/pdf');
  for (const name of ['held.pdf', 'other.pdf']) await storage.remove(name);
  expect(await storage.has('held.pdf')).toBe(false);
  for (const { content: stream } of held) stream.destroy();
});

test.each([
  ['a small file', [100, 0, 300]],
  ['more than the first buffer', [256 * 1024, 1]],
  ['exactly one part', [5 * mib]],
  ['one byte more than a part', [5 * mib, 1]],
  ['chunks that do not end with a part', [3 * mib, 3 * mib, 3 * mib, 3 * mib]],
  ['a chunk of several parts', [10, 12 * mib]],
])('put stores the content unchanged: %s', async (_case, lengths) => {
  const chunks = lengths.map((length) => randomBytes(length));
  await storage.put('parts.pdf', Readable.from(chunks), 'application/pdf');
  expect(stub.objects.get('parts.pdf')?.equals(Buffer.concat(chunks))).toBe(true);
  expect(stub.openUploads()).toEqual([]);
});

test('has fails, and does not return false, while the storage is unreachable', async () => {
  stub.cut();
  await expect(storage.has('held.pdf')).rejects.toThrow(/ECONN|socket/);
  stub.restore();
  expect(await storage.has('held.pdf')).toBe(false);
});

/** Starts a server in place of S3, which by default never responds. Returns a function that creates storages on it. */
async function startS3(listener: RequestListener = () => undefined) {
  const server = createServer(listener);
  const port = await listen(server);
  onTestFinished(() => server.close().closeAllConnections());
  return (changes: Record<string, string> = {}) => {
    const created = createS3Storage(
      readS3Settings({
        STORAGE_ENDPOINT: `http://127.0.0.1:${port}`,
        STORAGE_BUCKET: 'bucket',
        STORAGE_ACCESS_KEY_ID: 'key',
        STORAGE_SECRET_ACCESS_KEY: 'secret',
        ...changes,
      }),
    );
    onTestFinished(() => created.close());
    return created;
  };
}

/** Whether the promise is not settled. */
function isPending(promise: Promise<unknown>): () => boolean {
  let pending = true;
  const settle = () => (pending = false);
  promise.then(settle, settle);
  return () => pending;
}

test('STORAGE_TIMEOUT_SECONDS: a request without a response fails, and a copy has more time the larger the file is', async () => {
  const gib = 1024 ** 3;
  expect(timeLimitFor(0, 1_000)).toBe(1_000);
  expect(timeLimitFor(5 * gib, 1_000)).toBeGreaterThan(4 * 60_000);
  const create = await startS3();
  const [patient, impatient] = [create({ STORAGE_TIMEOUT_SECONDS: '50' }), create({ STORAGE_TIMEOUT_SECONDS: '1' })];
  const waiting = [patient.has('a.pdf'), impatient.copy('a.pdf', 'b.pdf', { size: 5 * gib })].map(isPending);
  await expect(impatient.has('a.pdf')).rejects.toMatchObject({ name: 'TimeoutError' });
  await expect(impatient.copy('a.pdf', 'b.pdf', { size: 1 })).rejects.toMatchObject({ name: 'TimeoutError' });
  expect(waiting.map((each) => each())).toEqual([true, true]);
});

test('a request that the storage answers with an error is sent twice', async () => {
  let requests = 0;
  const create = await startS3((_request, response) => {
    requests += 1;
    response.writeHead(503).end();
  });
  await expect(create().has('a.pdf')).rejects.toThrow('503');
  expect(requests).toBe(2);
});

test('STORAGE_CONNECT_TIMEOUT_SECONDS: a request without a connection fails, also if the pool has none', async () => {
  const create = await startS3();
  const one = { STORAGE_POOL_MAX: '1', STORAGE_TIMEOUT_SECONDS: '50' };
  const long = create({ ...one, STORAGE_CONNECT_TIMEOUT_SECONDS: '30' });
  const short = create({ ...one, STORAGE_CONNECT_TIMEOUT_SECONDS: '1' });
  const waiting = [long.has('a.pdf'), short.has('a.pdf'), long.has('b.pdf')].map(isPending);
  await expect(short.has('b.pdf')).rejects.toThrow('did not establish a connection');
  expect(waiting.map((each) => each())).toEqual([true, true, true]);
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
  const limited = create({ [setting]: '2' });
  const use = async () => {
    const result = await limited[method]('a.pdf');
    // A download has its connection until it was read.
    if (typeof result === 'object') result.content.resume();
  };
  await Promise.all(Array.from({ length: 8 }, use));
  expect(most).toBe(2);
});

test('an aborted copy ends its request', async () => {
  const { promise: request, resolve: receive } = Promise.withResolvers<IncomingMessage>();
  const waiting = (await startS3(receive))();
  const disconnected = new AbortController();
  const copying = waiting.copy('a.pdf', 'b.pdf', { size: 1, signal: disconnected.signal });
  const closed = once((await request).socket, 'close');
  const reason = new Error('The client has disconnected');
  disconnected.abort(reason);
  await expect(copying).rejects.toBe(reason);
  await closed;
});

test('incomplete uploads are aborted on all pages', async () => {
  /** The keys by page. The uploads of a key are told apart by their ids. */
  const pages = [['a.pdf', 'b.pdf'], ['b.pdf', 'c.pdf'], ['d.pdf']];
  const aborted: string[] = [];
  const uploadsPage = (number: number) => {
    const uploads = (pages[number] ?? []).map(
      (key) => `<Upload><Key>${key}</Key><UploadId>${number}</UploadId><Initiated>2026-01-01T00:00:00.000Z</Initiated></Upload>`,
    );
    const next = `<IsTruncated>true</IsTruncated><NextKeyMarker>${pages[number]?.at(-1)}</NextKeyMarker><NextUploadIdMarker>${number}</NextUploadIdMarker>`;
    return `<ListMultipartUploadsResult>${uploads.join('')}${number < pages.length - 1 ? next : ''}</ListMultipartUploadsResult>`;
  };
  const create = await startS3((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://s3');
    if (request.method === 'DELETE') {
      aborted.push(`${pathname.slice('/bucket/'.length)} ${searchParams.get('uploadId')}`);
      return void response.writeHead(204).end();
    }
    const marker = searchParams.get('upload-id-marker');
    response.setHeader('content-type', 'application/xml').end(uploadsPage(marker === null ? 0 : Number(marker) + 1));
  });
  expect(await create().abortUploads('', new Date())).toBe(5);
  expect(aborted).toEqual(['a.pdf 0', 'b.pdf 0', 'b.pdf 1', 'c.pdf 1', 'd.pdf 2']);
});
