import { createHash, randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import {
  ChecksumAlgorithm,
  CompleteMultipartUploadCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  ListPartsCommand,
  paginateListObjectsV2,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
  type S3ClientConfig,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startStorage, type EmbeddedStorage } from '../src/storage/start.ts';

const partSize = 5 * 1024 * 1024;
let dataDir: string;
let storage: EmbeddedStorage;
let client: S3Client;
let Bucket: string;

const nothing = () => undefined;
const quiet = { trace: nothing, debug: nothing, info: nothing, warn: nothing, error: nothing };

const connectTo = ({ endpoint, region, accessKeyId, secretAccessKey }: EmbeddedStorage, config: S3ClientConfig = {}): S3Client =>
  new S3Client({
    endpoint,
    region,
    credentials: { accessKeyId, secretAccessKey },
    forcePathStyle: true,
    maxAttempts: 1,
    logger: quiet,
    ...config,
  });

const md5 = (content: Buffer): string => createHash('md5').update(content).digest('hex');

const put = (Key: string, Body: Buffer | string = 'content') => client.send(new PutObjectCommand({ Bucket, Key, Body }));

const read = async (Key: string, more: object = {}): Promise<Buffer> => {
  const { Body } = await client.send(new GetObjectCommand({ Bucket, Key, ...more }));
  return Buffer.from(await Body!.transformToByteArray());
};

const keys = async (Prefix = ''): Promise<string[]> =>
  ((await client.send(new ListObjectsV2Command({ Bucket, Prefix }))).Contents ?? []).map(({ Key }) => Key!);

interface SentRequest {
  path: string;
  query: Record<string, string>;
  headers: Record<string, string>;
  body: unknown;
}

/** A client with this notices when a connection gets stuck. */
const oneConnection: S3ClientConfig = { requestHandler: { httpAgent: { maxSockets: 1 } } };

/** A client whose requests are changed after they were signed. */
const tampering = (change: (request: SentRequest) => void): S3Client => {
  const changed = connectTo(storage, oneConnection);
  changed.middlewareStack.add(
    (next) => (args) => {
      change(args.request as SentRequest);
      return next(args);
    },
    { step: 'finalizeRequest', priority: 'low' },
  );
  return changed;
};

const refused = (code: string, httpStatusCode: number) => ({ name: code, $metadata: { httpStatusCode } });

const filesOnDisk = async (): Promise<string[]> => {
  const entries = await readdir(join(dataDir, 'blobs'), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
};

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'local-stack-storage-'));
  storage = await startStorage({ dataDir });
  client = connectTo(storage);
});
// A bucket of its own for each test, so that none sees another's objects.
beforeEach(async ({ task }) => {
  Bucket = `test-${md5(Buffer.from(task.name))}`;
  await client.send(new CreateBucketCommand({ Bucket }));
});
afterAll(async () => {
  await storage.stop();
  await rm(dataDir, { recursive: true });
});

describe('objects', () => {
  test('come back byte for byte with type, metadata and ETag', async () => {
    const content = randomBytes(300_000);
    const described = { ContentType: 'application/pdf', ContentDisposition: 'inline', Metadata: { owner: 'maria' } };
    const stored = await client.send(new PutObjectCommand({ Bucket, Key: 'a/b.pdf', Body: content, ...described }));
    expect(stored).toMatchObject({ ETag: `"${md5(content)}"`, ChecksumCRC32: expect.any(String) as string });
    const found = await client.send(new HeadObjectCommand({ Bucket, Key: 'a/b.pdf' }));
    expect(found).toMatchObject({ ...described, ContentLength: 300_000, ETag: stored.ETag });
    expect(Math.abs(found.LastModified!.getTime() - Date.now())).toBeLessThan(60_000);
    expect(await read('a/b.pdf')).toEqual(content);
  });

  test.each(Object.values(ChecksumAlgorithm).filter((name) => /^(CRC|SHA1$|SHA256)/.test(name)))(
    'streams are verified by %s',
    async (algorithm) => {
      const content = randomBytes(200_000);
      const stream = { Body: Readable.from([content.subarray(0, 70_000), content.subarray(70_000)]), ContentLength: content.length };
      const stored = await client.send(new PutObjectCommand({ Bucket, Key: 'streamed', ChecksumAlgorithm: algorithm, ...stream }));
      const shown = await client.send(new HeadObjectCommand({ Bucket, Key: 'streamed', ChecksumMode: 'ENABLED' }));
      const field = `Checksum${algorithm}` as 'ChecksumCRC32';
      expect(stored[field]).toMatch(/^[\w+/]+=*$/);
      expect(shown[field]).toBe(stored[field]);
      expect(shown.ContentEncoding).toBeUndefined();
      expect(await read('streamed')).toEqual(content);
    },
  );

  test('are refused when the checksum is that of something else', async () => {
    const wrong = new PutObjectCommand({ Bucket, Key: 'wrong', Body: 'content', ChecksumCRC32: 'AAAAAA==' });
    await expect(client.send(wrong)).rejects.toMatchObject(refused('BadDigest', 400));
    expect(await keys()).toEqual([]);
  });

  test('may be empty', async () => {
    await put('empty', '');
    expect(await read('empty')).toHaveLength(0);
  });

  test('are replaced as a whole, and what a reader has begun it can finish', async () => {
    const first = randomBytes(3 * partSize);
    await put('replaced', first);
    const { Body } = await client.send(new GetObjectCommand({ Bucket, Key: 'replaced' }));
    await put('replaced', 'second');
    expect(Buffer.from(await Body!.transformToByteArray()).equals(first)).toBe(true);
    expect((await read('replaced')).toString()).toBe('second');
  });

  test('are deleted, one or many; a second time makes no difference', async () => {
    for (const key of ['one', 'two', 'three & <four>']) await put(key);
    await client.send(new DeleteObjectCommand({ Bucket, Key: 'one' }));
    await client.send(new DeleteObjectCommand({ Bucket, Key: 'one' }));
    const many = await client.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects: [{ Key: 'two' }, { Key: 'three & <four>' }] } }));
    expect(many.Deleted?.map(({ Key }) => Key)).toEqual(['two', 'three & <four>']);
    expect(await keys()).toEqual([]);
  });

  test('that do not exist are 404', async () => {
    await expect(read('absent')).rejects.toMatchObject(refused('NoSuchKey', 404));
    await expect(client.send(new HeadObjectCommand({ Bucket, Key: 'absent' }))).rejects.toMatchObject(refused('NotFound', 404));
    await expect(client.send(new HeadBucketCommand({ Bucket: 'absent' }))).rejects.toMatchObject(refused('NotFound', 404));
    await expect(client.send(new PutObjectCommand({ Bucket: 'absent', Key: 'x', Body: '' }))).rejects.toMatchObject(
      refused('NoSuchBucket', 404),
    );
  });

  test('have keys, not paths', async () => {
    const hostile = [
      '../../../escaped',
      '..',
      'a/../../b',
      '/absolute',
      'a//b',
      'nul\u0001',
      'São Paulo/☂.pdf',
      'a+b c%2F?&#',
      `${'x'.repeat(1000)}`,
    ];
    for (const key of hostile) {
      await put(key, key);
      expect((await read(key)).toString()).toBe(key);
    }
    expect((await readdir(dataDir)).sort()).toEqual(expect.arrayContaining(['blobs', 'catalog.sqlite', 'secret-access-key']));
    expect(await readdir(tmpdir())).not.toContain('escaped');
    for (const name of await filesOnDisk()) expect(name).toMatch(/^[0-9a-f-]{36}$/);
    await expect(put('x'.repeat(1025))).rejects.toMatchObject(refused('KeyTooLongError', 400));
  });
});

describe('conditions and ranges', () => {
  test('a range is 206 with just these bytes', async () => {
    const content = randomBytes(100_000);
    await put('ranged', content);
    for (const [Range, start, end] of [
      ['bytes=0-0', 0, 1],
      ['bytes=10-99', 10, 100],
      ['bytes=99990-', 99_990, 100_000],
      ['bytes=-5', 99_995, 100_000],
      ['bytes=99990-200000', 99_990, 100_000],
    ] as const) {
      const part = await client.send(new GetObjectCommand({ Bucket, Key: 'ranged', Range }));
      expect(part).toMatchObject({
        ContentRange: `bytes ${start}-${end - 1}/100000`,
        ContentLength: end - start,
        $metadata: { httpStatusCode: 206 },
      });
      expect(Buffer.from(await part.Body!.transformToByteArray())).toEqual(content.subarray(start, end));
    }
    await expect(read('ranged', { Range: 'bytes=100000-' })).rejects.toMatchObject(refused('InvalidRange', 416));
  });

  test('ETags decide on 304 and 412', async () => {
    const { ETag } = await put('known');
    await expect(read('known', { IfNoneMatch: ETag })).rejects.toMatchObject({ $metadata: { httpStatusCode: 304 } });
    await expect(read('known', { IfMatch: '"other"' })).rejects.toMatchObject(refused('PreconditionFailed', 412));
    expect((await read('known', { IfMatch: ETag, IfNoneMatch: '"other"' })).toString()).toBe('content');
  });
});

describe('lists', () => {
  test('come in pages, in the order of the keys, with size and age', async () => {
    const expected = Array.from({ length: 25 }, (_, index) => `list/${String(index).padStart(2, '0')}`);
    for (const key of expected.toReversed()) await put(key, key);
    await put('other');
    await put('list0');
    const pages = [];
    for await (const page of paginateListObjectsV2({ client, pageSize: 10 }, { Bucket, Prefix: 'list/' })) pages.push(page.Contents ?? []);
    expect(pages.map((page) => page.length)).toEqual([10, 10, 5]);
    expect(pages.flat().map(({ Key }) => Key)).toEqual(expected);
    for (const { Size, LastModified } of pages.flat()) {
      expect(Size).toBe(7);
      expect(Math.abs(LastModified!.getTime() - Date.now())).toBeLessThan(60_000);
    }
  });

  test('end with a full page too', async () => {
    for (const key of ['a', 'b']) await put(key);
    expect(await client.send(new ListObjectsV2Command({ Bucket, MaxKeys: 2 }))).toMatchObject({ IsTruncated: false, KeyCount: 2 });
    expect(await client.send(new ListObjectsV2Command({ Bucket, MaxKeys: 0 }))).toMatchObject({ IsTruncated: false, KeyCount: 0 });
  });
});

describe('multipart uploads', () => {
  const begin = async (Key: string) => ({
    Bucket,
    Key,
    UploadId: (await client.send(new CreateMultipartUploadCommand({ Bucket, Key }))).UploadId!,
  });

  test('of 20 MiB from a stream come back byte for byte', async () => {
    const content = randomBytes(4 * partSize + 17);
    const source = Readable.from(
      Array.from({ length: Math.ceil(content.length / 99_991) }, (_, i) => content.subarray(i * 99_991, (i + 1) * 99_991)),
    );
    const params = { Bucket, Key: 'large', Body: source, ContentType: 'video/mp4', Metadata: { owner: 'maria' } };
    const { ETag } = await new Upload({ client, params }).done();
    const parts = Array.from({ length: 5 }, (_, i) => md5(content.subarray(i * partSize, (i + 1) * partSize)));
    expect(ETag).toBe(`"${md5(Buffer.from(parts.join(''), 'hex'))}-5"`);
    const found = await client.send(new HeadObjectCommand({ Bucket, Key: 'large' }));
    expect(found).toMatchObject({ ETag, ContentType: 'video/mp4', Metadata: { owner: 'maria' }, ContentLength: content.length });
    expect((await read('large')).equals(content)).toBe(true);
    expect(await read('large', { Range: `bytes=${partSize - 2}-${partSize + 1}` })).toEqual(content.subarray(partSize - 2, partSize + 2));
    expect(await client.send(new ListMultipartUploadsCommand({ Bucket }))).not.toHaveProperty('Uploads');
  });

  test('that are broken off leave nothing', async () => {
    const before = await filesOnDisk();
    const source = Readable.from(
      (async function* () {
        for (let i = 0; i < 3; i++) yield randomBytes(partSize);
        throw new Error('the sender went away');
      })(),
    );
    await expect(new Upload({ client, params: { Bucket, Key: 'broken', Body: source } }).done()).rejects.toThrow('the sender went away');
    await expect.poll(async () => (await client.send(new ListMultipartUploadsCommand({ Bucket }))).Uploads ?? []).toEqual([]);
    expect(await keys()).toEqual([]);
    await expect.poll(filesOnDisk).toEqual(before);
  });

  test('show their parts, and themselves, until they are completed', async () => {
    const upload = await begin('shown');
    const { ETag } = await client.send(new UploadPartCommand({ ...upload, PartNumber: 3, Body: 'third' }));
    const { Uploads } = await client.send(new ListMultipartUploadsCommand({ Bucket }));
    expect(Uploads).toMatchObject([{ Key: 'shown', UploadId: upload.UploadId, Initiated: expect.any(Date) as Date }]);
    expect((await client.send(new ListPartsCommand(upload))).Parts).toMatchObject([{ PartNumber: 3, ETag, Size: 5 }]);
    expect(await keys()).toEqual([]);
    await client.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts: [{ PartNumber: 3, ETag }] } }));
    expect((await read('shown')).toString()).toBe('third');
    await expect(client.send(new ListPartsCommand(upload))).rejects.toMatchObject(refused('NoSuchUpload', 404));
  });

  test('take just the parts that were uploaded, in order, none too small', async () => {
    const upload = await begin('strict');
    const parts = [];
    for (const PartNumber of [1, 2]) {
      const { ETag } = await client.send(new UploadPartCommand({ ...upload, PartNumber, Body: 'small' }));
      parts.push({ PartNumber, ETag });
    }
    const complete = (Parts: object[]) => client.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } }));
    await expect(complete(parts)).rejects.toMatchObject(refused('EntityTooSmall', 400));
    await expect(complete(parts.toReversed())).rejects.toMatchObject(refused('InvalidPartOrder', 400));
    await expect(complete([{ PartNumber: 1, ETag: '"other"' }])).rejects.toMatchObject(refused('InvalidPart', 400));
    await expect(complete([{ PartNumber: 9, ETag: parts[0]!.ETag }])).rejects.toMatchObject(refused('InvalidPart', 400));
  });
});

describe('a broken-off request', () => {
  test('stores nothing', async () => {
    const before = await filesOnDisk();
    const gone = new AbortController();
    const endless = new Readable({ read: () => undefined });
    endless.push(randomBytes(100_000));
    const command = new PutObjectCommand({ Bucket, Key: 'broken', Body: endless, ContentLength: 1_000_000 });
    const sending = client.send(command, { abortSignal: gone.signal });
    await expect.poll(filesOnDisk).toHaveLength(before.length + 1);
    gone.abort();
    await expect(sending).rejects.toThrow();
    await expect.poll(filesOnDisk).toEqual(before);
    expect(await keys()).toEqual([]);
  });
});

describe('a streamed body', () => {
  const chunked = (...pieces: string[]) => tampering((request) => (request.body = Readable.from(pieces)));
  const send = (sender: S3Client) =>
    sender.send(new PutObjectCommand({ Bucket, Key: 'chunked', Body: Readable.from([Buffer.from('content')]), ContentLength: 7 }));

  test('may come in any pieces', async () => {
    await send(chunked(...'4\r\ncont\r\n3\r\nent\r\n0\r\nx-amz-checksum-crc32:/sUwqQ==\r\n\r\n'));
    expect((await read('chunked')).toString()).toBe('content');
  });

  test.each([
    ['of other content than its checksum says', 'BadDigest', '7\r\nCONTENT\r\n0\r\nx-amz-checksum-crc32:/sUwqQ==\r\n\r\n'],
    ['without the checksum that was announced', 'BadDigest', '7\r\ncontent\r\n0\r\n\r\n'],
    ['shorter than announced', 'IncompleteBody', '4\r\ncont\r\n0\r\nx-amz-checksum-crc32:50r44A==\r\n\r\n'],
    ['that ends within a chunk', 'IncompleteBody', '7\r\ncont'],
    ['without its end', 'IncompleteBody', '7\r\ncontent\r\n'],
    ['with more after its end', 'IncompleteBody', '7\r\ncontent\r\n0\r\nx-amz-checksum-crc32:/sUwqQ==\r\n\r\nmore'],
    ['in no chunks', 'IncompleteBody', 'content'.repeat(500_000)],
  ])('%s is refused, and the connection goes on', async (_, code, body) => {
    const before = await filesOnDisk();
    const sender = chunked(body);
    await expect(send(sender)).rejects.toMatchObject({ name: code });
    await expect(send(sender)).rejects.toMatchObject({ name: code });
    expect(await keys()).toEqual([]);
    await expect.poll(filesOnDisk).toEqual(before);
  });
});

describe('signatures', () => {
  test('of a wrong secret, an unknown key or another time are 403', async () => {
    const wrong = connectTo({ ...storage, secretAccessKey: 'guess' });
    await expect(wrong.send(new ListObjectsV2Command({ Bucket }))).rejects.toMatchObject(refused('SignatureDoesNotMatch', 403));
    const command = new PutObjectCommand({ Bucket, Key: 'x', Body: randomBytes(partSize) });
    await expect(wrong.send(command)).rejects.toMatchObject(refused('SignatureDoesNotMatch', 403));
    const unknown = connectTo({ ...storage, accessKeyId: 'nobody' });
    await expect(unknown.send(new ListObjectsV2Command({ Bucket }))).rejects.toMatchObject(refused('InvalidAccessKeyId', 403));
    const late = connectTo(storage, { systemClockOffset: -16 * 60_000 });
    await expect(late.send(new ListObjectsV2Command({ Bucket }))).rejects.toMatchObject(refused('RequestTimeTooSkewed', 403));
    expect(await keys()).toEqual([]);
  });

  test('cover path, query, headers and body', async () => {
    const changes: [string, (request: SentRequest) => void][] = [
      ['SignatureDoesNotMatch', (request) => (request.path += 'x')],
      ['SignatureDoesNotMatch', (request) => (request.query['prefix'] = '')],
      ['SignatureDoesNotMatch', (request) => (request.headers['content-type'] = 'text/html')],
      ['AccessDenied', (request) => (request.headers['x-amz-meta-added'] = 'unsigned')],
      ['XAmzContentSHA256Mismatch', (request) => (request.body = 'changed')],
    ];
    for (const [code, change] of changes) {
      const command = new PutObjectCommand({ Bucket, Key: 'x', Body: 'content', ContentType: 'text/plain' });
      await expect(tampering(change).send(command)).rejects.toMatchObject({ name: code });
    }
    expect(await keys()).toEqual([]);
  });

  test('are demanded', async () => {
    const answer = await fetch(`${storage.endpoint}/${Bucket}/x`);
    expect(answer.status).toBe(403);
    expect(answer.headers.get('content-type')).toBe('application/xml');
    expect(await answer.text()).toMatch(
      /^<\?xml .*<Error><Code>AccessDenied<\/Code><Message>.+<\/Message><Resource>\/test-.*\/x<\/Resource><\/Error>$/s,
    );
  });
});

describe('startStorage', () => {
  let folder: string;
  const given = { accessKeyId: 'someone', secretAccessKey: 'something', bucket: 'given' };
  beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'local-stack-storage-restart-'))));
  afterEach(() => rm(folder, { recursive: true }));

  test('keeps objects, unfinished uploads and the secret, and removes what a crash left behind', async () => {
    const first = await startStorage({ dataDir: folder });
    const place = { Bucket: first.bucket, Key: 'kept' };
    await connectTo(first).send(new PutObjectCommand({ ...place, Body: 'content', ContentType: 'text/plain' }));
    const { UploadId } = await connectTo(first).send(new CreateMultipartUploadCommand({ ...place, Key: 'unfinished' }));
    const part = { ...place, Key: 'unfinished', UploadId, PartNumber: 1 };
    const { ETag } = await connectTo(first).send(new UploadPartCommand({ ...part, Body: 'part' }));
    await first.stop();
    await mkdir(join(folder, 'blobs', 'ab'), { recursive: true });
    await writeFile(join(folder, 'blobs', 'ab', 'abandoned'), 'half a fi');

    const second = await startStorage({ dataDir: folder });
    try {
      expect(second).toMatchObject({ secretAccessKey: first.secretAccessKey, bucket: first.bucket });
      expect(await readdir(join(folder, 'blobs', 'ab'))).not.toContain('abandoned');
      await connectTo(second).send(new CompleteMultipartUploadCommand({ ...part, MultipartUpload: { Parts: [{ PartNumber: 1, ETag }] } }));
      for (const [Key, content] of [
        ['kept', 'content'],
        ['unfinished', 'part'],
      ] as const) {
        expect(await (await connectTo(second).send(new GetObjectCommand({ ...place, Key }))).Body!.transformToString()).toBe(content);
      }
    } finally {
      await second.stop();
    }
  });

  test('takes port, credentials and bucket as given', async () => {
    const { port } = new URL(storage.endpoint);
    await expect(startStorage({ dataDir: folder, port: Number(port) })).rejects.toThrow('EADDRINUSE');
    const own = await startStorage({ dataDir: folder, ...given });
    expect(own).toMatchObject(given);
    await connectTo(own).send(new HeadBucketCommand({ Bucket: 'given' }));
    await own.stop();
  });

  test('refuses a folder that is in use', async () => {
    await expect(startStorage({ dataDir })).rejects.toThrow(`The storage in ${dataDir} cannot be opened: does another process use it?`);
  });
});
