import { Readable } from 'node:stream';
import {
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  NotFound,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import type { Settings } from '../../settings.ts';
import { createClient } from './client.ts';
import { abortUploads, listObjects, type StoredObject } from './listing.ts';
import { clientOfUpload } from './upload-client.ts';

/** Bytes from `start` to `end`, both included. */
export interface ByteRange {
  start: number;
  end: number;
}

/** The object storage (S3). Every failure is thrown as it came and told to `onCall`. */
export interface Storage {
  /** Throws where the bucket cannot be reached. */
  check(): Promise<void>;
  /**
   * Stores the content under the key as it comes in, holding a part of some 5 MiB of it at a time. The object exists when all of it is stored.
   * @throws what the content throws, or the storage's failure; then there is no object, or the failure left it open
   */
  put(key: string, content: AsyncIterable<Uint8Array>, contentType: string): Promise<void>;
  /** Opens the object, or a range of it. Whoever takes the stream must read it to its end or destroy it. */
  open(key: string, range?: ByteRange): Promise<{ content: Readable; size: number }>;
  copy(from: string, to: string): Promise<void>;
  /** Removes the object; that there is none is no failure. */
  remove(key: string): Promise<void>;
  has(key: string): Promise<boolean>;
  /** All objects whose keys begin so, in pages of at most so many, 1000 at the most. */
  list(prefix: string, pageSize: number): AsyncIterable<StoredObject[]>;
  /** Gives up the uploads under such keys that were begun before then and never completed; @returns how many */
  abortUploads(prefix: string, before: Date): Promise<number>;
  close(): void;
}

export interface StorageOptions {
  settings: Settings;
  /** Told of each call, in seconds; with the error where it failed. */
  onCall?: (operation: string, seconds: number, error?: Error) => void;
}

/** A removal that takes longer is left to the janitor. */
const removalMs = 5_000;

export function createStorage({ settings, onCall }: StorageOptions): Storage {
  const client = createClient(settings, 200);
  // Their clients decide how long they take: nothing else waits for them.
  const downloads = createClient(settings, 1_000);
  const Bucket = settings.STORAGE_BUCKET;

  async function call<T>(operation: string, work: () => Promise<T>): Promise<T> {
    const startedAt = performance.now();
    const seconds = () => (performance.now() - startedAt) / 1000;
    try {
      const result = await work();
      onCall?.(operation, seconds());
      return result;
    } catch (error) {
      onCall?.(operation, seconds(), error as Error);
      throw error;
    }
  }

  return {
    async check() {
      await call('check', () => client.send(new HeadBucketCommand({ Bucket }), { abortSignal: AbortSignal.timeout(3_000) }));
    },

    async put(key, content, contentType) {
      const source = watch(content);
      const Body = Readable.from(source.content, { objectMode: false });
      const upload = new Upload({
        client: clientOfUpload(client),
        params: { Bucket, Key: key, Body, ContentType: contentType },
        queueSize: 1,
      });
      await call('put', async () => {
        try {
          await upload.done();
        } catch (error) {
          if (!source.failure) throw error;
        }
      });
      // It comes through, whatever the storage made of it.
      if (source.failure) throw source.failure;
    },

    open: (key, range) =>
      call('open', async () => {
        const Range = range && `bytes=${range.start}-${range.end}`;
        const { Body, ContentLength } = await downloads.send(new GetObjectCommand({ Bucket, Key: key, Range }));
        return { content: Body as Readable, size: ContentLength ?? 0 };
      }),

    async copy(from, to) {
      const CopySource = `${Bucket}/${from.split('/').map(encodeURIComponent).join('/')}`;
      await call('copy', () => client.send(new CopyObjectCommand({ Bucket, Key: to, CopySource })));
    },

    async remove(key) {
      const abortSignal = AbortSignal.timeout(removalMs);
      await call('remove', () => client.send(new DeleteObjectCommand({ Bucket, Key: key }), { abortSignal }));
    },

    has: (key) =>
      call('head', () =>
        client.send(new HeadObjectCommand({ Bucket, Key: key })).then(
          () => true,
          (error: unknown) => (error instanceof NotFound ? false : Promise.reject(error as Error)),
        ),
      ),

    list: (prefix, pageSize) => listObjects(client, Bucket, prefix, pageSize),
    abortUploads: (prefix, before) => abortUploads(client, Bucket, prefix, before),
    close() {
      client.destroy();
      downloads.destroy();
    },
  };
}

/** The same content, with what it threw. */
function watch(content: AsyncIterable<Uint8Array>): { content: AsyncIterable<Uint8Array>; failure: Error | undefined } {
  let failure: Error | undefined;
  const watched = async function* () {
    try {
      yield* content;
    } catch (error) {
      failure = error as Error;
      throw error;
    }
  };
  return {
    content: watched(),
    get failure() {
      return failure;
    },
  };
}
