import { Readable } from 'node:stream';
import {
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  NotFound,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import type { S3Settings } from '../settings.ts';
import type { Storage } from '../storage.ts';
import { createClient } from './client.ts';
import { abortUploads, listObjects } from './listing.ts';
import { clientOfUpload, copyLargeChunks } from './upload-client.ts';

/** In milliseconds. The storage clean-up makes up for a removal that takes longer. */
const removalMs = 5_000;
const checkMs = 3_000;

/** Keeps the objects in a bucket of an S3-compatible storage. The bucket must exist. */
export function createS3Storage(settings: S3Settings): Storage {
  const client = createClient(settings, 200);
  // A client decides how long its download takes: other requests must not wait for it.
  const downloads = createClient(settings, 1_000);
  const Bucket = settings.STORAGE_BUCKET;

  /** A response to HEAD has no body, so its error has no message of its own. */
  function refusal(error: unknown): Error {
    if (!(error instanceof S3ServiceException)) return error as Error;
    return new Error(`The storage refuses the bucket ${Bucket}: ${error.name} (${error.$metadata.httpStatusCode})`, { cause: error });
  }

  async function check(): Promise<void> {
    await client.send(new HeadBucketCommand({ Bucket }), { abortSignal: AbortSignal.timeout(checkMs) }).catch((error: unknown) => {
      throw refusal(error);
    });
  }

  return {
    check,

    async put(key, content, contentType) {
      const Body = Readable.from(copyLargeChunks(content), { objectMode: false });
      const params = { Bucket, Key: key, Body, ContentType: contentType };
      await new Upload({ client: clientOfUpload(client), params, queueSize: 1 }).done();
    },

    async open(key, range) {
      const Range = range && `bytes=${range.start}-${range.end}`;
      const { Body, ContentLength } = await downloads.send(new GetObjectCommand({ Bucket, Key: key, Range }));
      return { content: Body as Readable, size: ContentLength ?? 0 };
    },

    async copy(from, to) {
      const CopySource = `${Bucket}/${from.split('/').map(encodeURIComponent).join('/')}`;
      await client.send(new CopyObjectCommand({ Bucket, Key: to, CopySource }));
    },

    async remove(key) {
      await client.send(new DeleteObjectCommand({ Bucket, Key: key }), { abortSignal: AbortSignal.timeout(removalMs) });
    },

    async has(key) {
      try {
        await client.send(new HeadObjectCommand({ Bucket, Key: key }));
        return true;
      } catch (error) {
        if (!(error instanceof NotFound)) throw refusal(error);
        // The bucket may be what is missing.
        await check();
        return false;
      }
    },

    list: (prefix, pageSize) => listObjects(client, Bucket, prefix, pageSize),
    abortUploads: (prefix, before) => abortUploads(client, Bucket, prefix, before),
    close() {
      client.destroy();
      downloads.destroy();
    },
  };
}
