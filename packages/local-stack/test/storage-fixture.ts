import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CreateBucketCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  type GetObjectCommandInput,
  type S3ClientConfig,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { startStorage, type EmbeddedStorage } from '../src/storage/start.ts';

/** The smallest part that S3 takes, except as the last, in bytes. */
export const partSize = 5 * 1024 * 1024;

const nothing = () => undefined;
// The SDK warns on the console of every refusal that a test asks for.
const quiet = { trace: nothing, debug: nothing, info: nothing, warn: nothing, error: nothing };

/** A client of the storage that never tries twice. */
export const connectTo = ({ endpoint, region, accessKeyId, secretAccessKey }: EmbeddedStorage, config: S3ClientConfig = {}): S3Client =>
  new S3Client({
    endpoint,
    region,
    credentials: { accessKeyId, secretAccessKey },
    forcePathStyle: true,
    maxAttempts: 1,
    logger: quiet,
    ...config,
  });

export const md5 = (content: Buffer): string => createHash('md5').update(content).digest('hex');

/** What an error of the SDK looks like. */
export const refused = (code: string, httpStatusCode: number) => ({ name: code, $metadata: { httpStatusCode } });

/** A storage for the tests of one file, with a bucket of its own for each test, so that none sees another's objects. */
export class TestStorage {
  dataDir = '';
  server!: EmbeddedStorage;
  client!: S3Client;
  Bucket = '';

  put(Key: string, Body: Buffer | string = 'content') {
    return this.client.send(new PutObjectCommand({ Bucket: this.Bucket, Key, Body }));
  }

  async read(Key: string, more: Partial<GetObjectCommandInput> = {}): Promise<Buffer> {
    const { Body } = await this.client.send(new GetObjectCommand({ Bucket: this.Bucket, Key, ...more }));
    return bytesOf(Body);
  }

  async keys(): Promise<string[]> {
    const { Contents = [] } = await this.client.send(new ListObjectsV2Command({ Bucket: this.Bucket }));
    return Contents.map(({ Key = '' }) => Key);
  }

  async filesOnDisk(): Promise<string[]> {
    const entries = await readdir(join(this.dataDir, 'blobs'), { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile())
      .map(({ name }) => name)
      .toSorted();
  }
}

/** The bytes of a response's body. */
export const bytesOf = async (body: { transformToByteArray(): Promise<Uint8Array> } | undefined): Promise<Buffer> =>
  Buffer.from((await body?.transformToByteArray()) ?? []);

/** Starts a storage before the tests of the file that calls this, and stops it after them. */
export function useStorage(): TestStorage {
  const storage = new TestStorage();
  beforeAll(async () => {
    storage.dataDir = await mkdtemp(join(tmpdir(), 'local-stack-storage-'));
    storage.server = await startStorage({ dataDir: storage.dataDir });
    storage.client = connectTo(storage.server);
  });
  beforeEach(async ({ task }) => {
    storage.Bucket = `test-${md5(Buffer.from(task.id))}`;
    await storage.client.send(new CreateBucketCommand({ Bucket: storage.Bucket }));
  });
  afterAll(async () => {
    await storage.server.stop();
    await rm(storage.dataDir, { recursive: true });
  });
  return storage;
}
