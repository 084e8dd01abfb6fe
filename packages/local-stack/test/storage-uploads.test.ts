import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import {
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListPartsCommand,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { describe, expect, test } from 'vitest';
import { md5, partSize, refused, useStorage } from './storage-fixture.ts';

const storage = useStorage();

describe('multipart uploads', () => {
  const begin = async (Key: string) => ({
    Bucket: storage.Bucket,
    Key,
    UploadId: (await storage.client.send(new CreateMultipartUploadCommand({ Bucket: storage.Bucket, Key }))).UploadId!,
  });

  test('of 20 MiB from a stream come back byte for byte', async () => {
    const content = randomBytes(4 * partSize + 17);
    const source = Readable.from(
      Array.from({ length: Math.ceil(content.length / 99_991) }, (_, i) => content.subarray(i * 99_991, (i + 1) * 99_991)),
    );
    const params = { Bucket: storage.Bucket, Key: 'large', Body: source, ContentType: 'video/mp4', Metadata: { owner: 'maria' } };
    const { ETag } = await new Upload({ client: storage.client, params }).done();
    const parts = Array.from({ length: 5 }, (_, i) => md5(content.subarray(i * partSize, (i + 1) * partSize)));
    expect(ETag).toBe(`"${md5(Buffer.from(parts.join(''), 'hex'))}-5"`);
    const found = await storage.client.send(new HeadObjectCommand({ Bucket: storage.Bucket, Key: 'large' }));
    expect(found).toMatchObject({ ETag, ContentType: 'video/mp4', Metadata: { owner: 'maria' }, ContentLength: content.length });
    expect((await storage.read('large')).equals(content)).toBe(true);
    expect(await storage.read('large', { Range: `bytes=${partSize - 2}-${partSize + 1}` })).toEqual(
      content.subarray(partSize - 2, partSize + 2),
    );
    expect(await storage.client.send(new ListMultipartUploadsCommand({ Bucket: storage.Bucket }))).not.toHaveProperty('Uploads');
  });

  test('that are broken off leave nothing', async () => {
    const before = await storage.filesOnDisk();
    const source = Readable.from(
      (async function* () {
        for (let i = 0; i < 3; i++) yield randomBytes(partSize);
        throw new Error('the sender went away');
      })(),
    );
    await expect(
      new Upload({ client: storage.client, params: { Bucket: storage.Bucket, Key: 'broken', Body: source } }).done(),
    ).rejects.toThrow('the sender went away');
    await expect
      .poll(async () => (await storage.client.send(new ListMultipartUploadsCommand({ Bucket: storage.Bucket }))).Uploads ?? [])
      .toEqual([]);
    expect(await storage.keys()).toEqual([]);
    await expect.poll(() => storage.filesOnDisk()).toEqual(before);
  });

  test('show their parts, and themselves, until they are completed', async () => {
    const upload = await begin('shown');
    const { ETag } = await storage.client.send(new UploadPartCommand({ ...upload, PartNumber: 3, Body: 'third' }));
    const { Uploads } = await storage.client.send(new ListMultipartUploadsCommand({ Bucket: storage.Bucket }));
    expect(Uploads).toMatchObject([{ Key: 'shown', UploadId: upload.UploadId, Initiated: expect.any(Date) as Date }]);
    expect((await storage.client.send(new ListPartsCommand(upload))).Parts).toMatchObject([{ PartNumber: 3, ETag, Size: 5 }]);
    expect(await storage.keys()).toEqual([]);
    await storage.client.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts: [{ PartNumber: 3, ETag }] } }));
    expect((await storage.read('shown')).toString()).toBe('third');
    await expect(storage.client.send(new ListPartsCommand(upload))).rejects.toMatchObject(refused('NoSuchUpload', 404));
  });

  test('take just the parts that were uploaded, in order, none too small', async () => {
    const upload = await begin('strict');
    const parts = [];
    for (const PartNumber of [1, 2]) {
      const { ETag } = await storage.client.send(new UploadPartCommand({ ...upload, PartNumber, Body: 'small' }));
      parts.push({ PartNumber, ETag });
    }
    const complete = (Parts: object[]) =>
      storage.client.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } }));
    await expect(complete(parts)).rejects.toMatchObject(refused('EntityTooSmall', 400));
    await expect(complete(parts.toReversed())).rejects.toMatchObject(refused('InvalidPartOrder', 400));
    await expect(complete([{ PartNumber: 1, ETag: '"other"' }])).rejects.toMatchObject(refused('InvalidPart', 400));
    await expect(complete([{ PartNumber: 9, ETag: parts[0]!.ETag }])).rejects.toMatchObject(refused('InvalidPart', 400));
  });
});

describe('a broken-off request', () => {
  test('stores nothing', async () => {
    const before = await storage.filesOnDisk();
    const gone = new AbortController();
    const endless = new Readable({ read: () => undefined });
    endless.push(randomBytes(100_000));
    const command = new PutObjectCommand({ Bucket: storage.Bucket, Key: 'broken', Body: endless, ContentLength: 1_000_000 });
    const sending = storage.client.send(command, { abortSignal: gone.signal });
    await expect.poll(() => storage.filesOnDisk()).toHaveLength(before.length + 1);
    gone.abort();
    await expect(sending).rejects.toThrow('aborted');
    await expect.poll(() => storage.filesOnDisk()).toEqual(before);
    expect(await storage.keys()).toEqual([]);
  });
});
