import type { Readable } from 'node:stream';
import { CopyObjectCommand, DeleteObjectCommand, GetObjectCommand, HeadObjectCommand, NotFound } from '@aws-sdk/client-s3';
import type { S3Settings } from '../settings.ts';
import type { Storage } from '../storage.ts';
import { checkBucket, withMessage } from './bucket.ts';
import { createClient, createSlowClient } from './client.ts';
import { abortUploads, listObjects } from './listing.ts';
import { timeLimitFor, withinTimeLimit } from './time-limit.ts';
import { upload } from './upload.ts';

/** Time limit of a deletion in milliseconds. The storage clean-up repeats a deletion that takes longer. */
const deleteTimeoutMs = 5_000;

/**
 * Creates a storage in a bucket of an S3-compatible service. The first check creates the bucket if it is missing and the key may create it.
 * @param onBucketCreated called after the bucket was created
 */
export function createS3Storage(settings: S3Settings, onBucketCreated: () => void = () => undefined): Storage {
  const client = createClient(settings, settings.STORAGE_POOL_MAX);
  // Downloads have a pool of their own: slow clients must not occupy the connections of other requests.
  const downloads = createClient(settings, settings.STORAGE_DOWNLOAD_POOL_MAX);
  const slow = createSlowClient(settings);
  const Bucket = settings.STORAGE_BUCKET;

  /** A bucket that disappears later is not created again: its files are missing, which an empty bucket would hide. */
  let wasSeen = false;
  async function check(): Promise<void> {
    await checkBucket(client, Bucket, wasSeen ? undefined : onBucketCreated);
    wasSeen = true;
  }

  return {
    check,

    put: (key, content, contentType) => upload({ client, slow }, { Bucket, Key: key, ContentType: contentType }, content),

    async open(key, range) {
      const Range = range && `bytes=${range.start}-${range.end}`;
      const { Body, ContentLength } = await downloads.send(new GetObjectCommand({ Bucket, Key: key, Range }));
      return { content: Body as Readable, size: ContentLength ?? 0 };
    },

    async copy(from, to, { size, signal }) {
      const CopySource = `${Bucket}/${from.split('/').map(encodeURIComponent).join('/')}`;
      const command = new CopyObjectCommand({ Bucket, Key: to, CopySource });
      const limitMs = timeLimitFor(size, settings.STORAGE_TIMEOUT_SECONDS * 1000);
      await withinTimeLimit(limitMs, signal, (abortSignal) => slow.send(command, { abortSignal }));
    },

    async remove(key) {
      await client.send(new DeleteObjectCommand({ Bucket, Key: key }), { abortSignal: AbortSignal.timeout(deleteTimeoutMs) });
    },

    async has(key) {
      try {
        await client.send(new HeadObjectCommand({ Bucket, Key: key }));
        return true;
      } catch (error) {
        if (!(error instanceof NotFound)) throw withMessage(error, Bucket);
        // Throws if the whole bucket is missing.
        await checkBucket(client, Bucket);
        return false;
      }
    },

    list: (prefix, pageSize) => listObjects(client, Bucket, prefix, pageSize),
    abortUploads: (prefix, before) => abortUploads(client, Bucket, prefix, before),
    close() {
      client.destroy();
      downloads.destroy();
      slow.destroy();
    },
  };
}
