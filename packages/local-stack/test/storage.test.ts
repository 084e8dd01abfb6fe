import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import {
  ChecksumAlgorithm,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  paginateListObjectsV2,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startStorage } from '../src/storage/start.ts';
import { bytesOf, connectTo, md5, partSize, refused, useStorage } from './storage-fixture.ts';

const storage = useStorage();

describe('objects', () => {
  test('come back byte for byte with type, metadata and ETag', async () => {
    const content = randomBytes(300_000);
    const described = { ContentType: 'application/pdf', ContentDisposition: 'inline', Metadata: { owner: 'maria' } };
    const stored = await storage.client.send(new PutObjectCommand({ Bucket: storage.Bucket, Key: 'a/b.pdf', Body: content, ...described }));
    expect(stored).toMatchObject({ ETag: `"${md5(content)}"`, ChecksumCRC32: expect.any(String) as string });
    const found = await storage.client.send(new HeadObjectCommand({ Bucket: storage.Bucket, Key: 'a/b.pdf' }));
    expect(found).toMatchObject({ ...described, ContentLength: 300_000, ETag: stored.ETag });
    expect(Math.abs(found.LastModified!.getTime() - Date.now())).toBeLessThan(60_000);
    expect(await storage.read('a/b.pdf')).toEqual(content);
  });

  test('are copied with their headers under another key, and the copy stays when the first is removed', async () => {
    const { Bucket, client } = storage;
    const content = randomBytes(300_000);
    await client.send(new PutObjectCommand({ Bucket, Key: 'á/b+c.pdf', Body: content, ContentType: 'application/pdf' }));
    const CopySource = `${Bucket}/${encodeURIComponent('á/b+c.pdf')}`;
    const { CopyObjectResult } = await client.send(new CopyObjectCommand({ Bucket, Key: 'd/e.pdf', CopySource }));
    expect(CopyObjectResult?.ETag).toBe(`"${md5(content)}"`);
    await client.send(new DeleteObjectCommand({ Bucket, Key: 'á/b+c.pdf' }));
    expect(await storage.keys()).toEqual(['d/e.pdf']);
    expect(await storage.read('d/e.pdf')).toEqual(content);
    expect(await client.send(new HeadObjectCommand({ Bucket, Key: 'd/e.pdf' }))).toMatchObject({ ContentType: 'application/pdf' });
  });

  test('are not copied from nothing', async () => {
    const copy = (CopySource: string) => storage.client.send(new CopyObjectCommand({ Bucket: storage.Bucket, Key: 'copy', CopySource }));
    await expect(copy(`${storage.Bucket}/absent`)).rejects.toMatchObject(refused('NoSuchKey', 404));
    await expect(copy('no-such-bucket/absent')).rejects.toMatchObject(refused('NoSuchBucket', 404));
    await expect(copy('%zz')).rejects.toMatchObject(refused('InvalidURI', 400));
  });

  test.each(Object.values(ChecksumAlgorithm).filter((name) => /^(CRC|SHA1$|SHA256)/.test(name)))(
    'streams are verified by %s',
    async (algorithm) => {
      const content = randomBytes(200_000);
      const stream = { Body: Readable.from([content.subarray(0, 70_000), content.subarray(70_000)]), ContentLength: content.length };
      const stored = await storage.client.send(
        new PutObjectCommand({ Bucket: storage.Bucket, Key: 'streamed', ChecksumAlgorithm: algorithm, ...stream }),
      );
      const shown = await storage.client.send(new HeadObjectCommand({ Bucket: storage.Bucket, Key: 'streamed', ChecksumMode: 'ENABLED' }));
      const field = `Checksum${algorithm}` as 'ChecksumCRC32';
      expect(stored[field]).toMatch(/^[\w+/]+=*$/);
      expect(shown[field]).toBe(stored[field]);
      expect(shown.ContentEncoding).toBeUndefined();
      expect(await storage.read('streamed')).toEqual(content);
    },
  );

  test('are refused when the checksum is that of something else', async () => {
    const wrong = new PutObjectCommand({ Bucket: storage.Bucket, Key: 'wrong', Body: 'content', ChecksumCRC32: 'AAAAAA==' });
    await expect(storage.client.send(wrong)).rejects.toMatchObject(refused('BadDigest', 400));
    expect(await storage.keys()).toEqual([]);
  });

  test('may be empty', async () => {
    await storage.put('empty', '');
    expect(await storage.read('empty')).toHaveLength(0);
  });

  test('are replaced as a whole, and what a reader has begun it can finish', async () => {
    const first = randomBytes(3 * partSize);
    await storage.put('replaced', first);
    const { Body } = await storage.client.send(new GetObjectCommand({ Bucket: storage.Bucket, Key: 'replaced' }));
    await storage.put('replaced', 'second');
    expect((await bytesOf(Body)).equals(first)).toBe(true);
    expect((await storage.read('replaced')).toString()).toBe('second');
  });

  test('are deleted, one or many; a second time makes no difference', async () => {
    for (const key of ['one', 'two', 'three & <four>']) await storage.put(key);
    await storage.client.send(new DeleteObjectCommand({ Bucket: storage.Bucket, Key: 'one' }));
    await storage.client.send(new DeleteObjectCommand({ Bucket: storage.Bucket, Key: 'one' }));
    const many = await storage.client.send(
      new DeleteObjectsCommand({ Bucket: storage.Bucket, Delete: { Objects: [{ Key: 'two' }, { Key: 'three & <four>' }] } }),
    );
    expect(many.Deleted?.map(({ Key }) => Key)).toEqual(['two', 'three & <four>']);
    expect(await storage.keys()).toEqual([]);
  });

  test('that do not exist are 404', async () => {
    await expect(storage.read('absent')).rejects.toMatchObject(refused('NoSuchKey', 404));
    await expect(storage.client.send(new HeadObjectCommand({ Bucket: storage.Bucket, Key: 'absent' }))).rejects.toMatchObject(
      refused('NotFound', 404),
    );
    await expect(storage.client.send(new HeadBucketCommand({ Bucket: 'absent' }))).rejects.toMatchObject(refused('NotFound', 404));
    await expect(storage.client.send(new PutObjectCommand({ Bucket: 'absent', Key: 'x', Body: '' }))).rejects.toMatchObject(
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
      'x'.repeat(1000),
    ];
    for (const key of hostile) {
      await storage.put(key, key);
      expect((await storage.read(key)).toString()).toBe(key);
    }
    expect((await readdir(storage.dataDir)).toSorted()).toEqual(expect.arrayContaining(['blobs', 'catalog.sqlite', 'secret-access-key']));
    expect(await readdir(tmpdir())).not.toContain('escaped');
    for (const name of await storage.filesOnDisk()) expect(name).toMatch(/^[0-9a-f-]{36}$/);
    await expect(storage.put('x'.repeat(1025))).rejects.toMatchObject(refused('KeyTooLongError', 400));
  });
});

describe('conditions and ranges', () => {
  test('a range is 206 with just these bytes', async () => {
    const content = randomBytes(100_000);
    await storage.put('ranged', content);
    for (const [Range, start, end] of [
      ['bytes=0-0', 0, 1],
      ['bytes=10-99', 10, 100],
      ['bytes=99990-', 99_990, 100_000],
      ['bytes=-5', 99_995, 100_000],
      ['bytes=99990-200000', 99_990, 100_000],
    ] as const) {
      const part = await storage.client.send(new GetObjectCommand({ Bucket: storage.Bucket, Key: 'ranged', Range }));
      expect(part).toMatchObject({
        ContentRange: `bytes ${start}-${end - 1}/100000`,
        ContentLength: end - start,
        $metadata: { httpStatusCode: 206 },
      });
      expect(await bytesOf(part.Body)).toEqual(content.subarray(start, end));
    }
    await expect(storage.read('ranged', { Range: 'bytes=100000-' })).rejects.toMatchObject(refused('InvalidRange', 416));
  });

  test('ETags decide on 304 and 412', async () => {
    const { ETag } = await storage.put('known');
    await expect(storage.read('known', { IfNoneMatch: ETag })).rejects.toMatchObject({ $metadata: { httpStatusCode: 304 } });
    await expect(storage.read('known', { IfMatch: '"other"' })).rejects.toMatchObject(refused('PreconditionFailed', 412));
    expect((await storage.read('known', { IfMatch: ETag, IfNoneMatch: '"other"' })).toString()).toBe('content');
  });
});

describe('lists', () => {
  test('come in pages, in the order of the keys, with size and age', async () => {
    const expected = Array.from({ length: 25 }, (_, index) => `list/${String(index).padStart(2, '0')}`);
    for (const key of expected.toReversed()) await storage.put(key, key);
    await storage.put('other');
    await storage.put('list0');
    const pages = [];
    for await (const page of paginateListObjectsV2({ client: storage.client, pageSize: 10 }, { Bucket: storage.Bucket, Prefix: 'list/' }))
      pages.push(page.Contents ?? []);
    expect(pages.map((page) => page.length)).toEqual([10, 10, 5]);
    expect(pages.flat().map(({ Key }) => Key)).toEqual(expected);
    for (const { Size, LastModified } of pages.flat()) {
      expect(Size).toBe(7);
      expect(Math.abs(LastModified!.getTime() - Date.now())).toBeLessThan(60_000);
    }
  });

  test('end with a full page too', async () => {
    for (const key of ['a', 'b']) await storage.put(key);
    expect(await storage.client.send(new ListObjectsV2Command({ Bucket: storage.Bucket, MaxKeys: 2 }))).toMatchObject({
      IsTruncated: false,
      KeyCount: 2,
    });
    expect(await storage.client.send(new ListObjectsV2Command({ Bucket: storage.Bucket, MaxKeys: 0 }))).toMatchObject({
      IsTruncated: false,
      KeyCount: 0,
    });
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
    const { port } = new URL(storage.server.endpoint);
    await expect(startStorage({ dataDir: folder, port: Number(port) })).rejects.toThrow('EADDRINUSE');
    const own = await startStorage({ dataDir: folder, ...given });
    expect(own).toMatchObject(given);
    await connectTo(own).send(new HeadBucketCommand({ Bucket: 'given' }));
    await own.stop();
  });

  test('refuses a folder that is in use', async () => {
    await expect(startStorage({ dataDir: storage.dataDir })).rejects.toThrow(
      `The storage in ${storage.dataDir} cannot be opened: does another process use it?`,
    );
  });
});
