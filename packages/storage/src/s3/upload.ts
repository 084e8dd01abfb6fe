import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  type CompletedPart,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { timeLimitFor, withinTimeLimit } from './time-limit.ts';

/** Size of a part in bytes. S3 accepts no smaller ones, except the last. */
const partBytes = 5 * 1024 * 1024;
/** Size of the buffer that a small file fits into, in bytes. */
const smallBytes = 256 * 1024;

/** Time limits in milliseconds. Joining the parts of a large file takes longer. */
const completeTimeoutMs = 60_000;
const abortTimeoutMs = 5_000;

export interface UploadClients {
  client: S3Client;
  /** Has no time limits: joins the parts. */
  slow: S3Client;
}

/** Where an upload goes, in the parameters of S3. */
export interface Target {
  Bucket: string;
  Key: string;
  ContentType: string;
}

/**
 * Stores the content as an object: up to 5 MiB in one request, more in parts. If the content or a request fails, the object is unchanged.
 *
 * It copies the content into one buffer, which all parts share, so that V8 can free each chunk at once. `Upload` of `@aws-sdk/lib-storage` keeps the chunks
 * until their part is complete and copies them then, which takes more than twice the memory (docs/run/figures.md).
 */
export async function upload(clients: UploadClients, target: Target, content: AsyncIterable<Uint8Array>): Promise<void> {
  let buffer = Buffer.allocUnsafeSlow(smallBytes);
  let length = 0;
  let multipart: MultipartUpload | undefined;
  try {
    for await (const chunk of content) {
      for (let from = 0; from < chunk.length;) {
        if (length === partBytes) {
          multipart ??= await beginMultipartUpload(clients, target);
          await multipart.send(buffer);
          length = 0;
        } else if (length === buffer.length) buffer = enlarge(buffer);
        const copied = chunk.subarray(from, from + buffer.length - length);
        buffer.set(copied, length);
        length += copied.length;
        from += copied.length;
      }
    }
    const rest = buffer.subarray(0, length);
    if (multipart) await multipart.complete(rest);
    else await clients.client.send(new PutObjectCommand({ ...target, Body: rest }));
  } catch (error) {
    // If this fails, the storage clean-up aborts the upload later.
    await multipart?.abort().catch(() => undefined);
    throw error;
  }
  // Frees the memory now. After an error, a request may still be reading it.
  buffer.buffer.transfer(0);
}

function enlarge(buffer: Buffer): Buffer<ArrayBuffer> {
  const enlarged = Buffer.allocUnsafeSlow(partBytes);
  buffer.copy(enlarged);
  return enlarged;
}

interface MultipartUpload {
  send(part: Uint8Array): Promise<void>;
  /** Sends the last part and joins all parts. */
  complete(last: Uint8Array): Promise<void>;
  abort(): Promise<void>;
}

async function beginMultipartUpload({ client, slow }: UploadClients, target: Target): Promise<MultipartUpload> {
  const { Bucket, Key } = target;
  const { UploadId } = await client.send(new CreateMultipartUploadCommand({ ...target, ChecksumAlgorithm: 'CRC32' }));
  const Parts: CompletedPart[] = [];
  let size = 0;
  async function send(part: Uint8Array): Promise<void> {
    const PartNumber = Parts.length + 1;
    const { ETag, ChecksumCRC32 } = await client.send(new UploadPartCommand({ Bucket, Key, UploadId, PartNumber, Body: part }));
    Parts.push({ PartNumber, ETag, ChecksumCRC32 });
    size += part.length;
  }
  return {
    send,
    async complete(last) {
      await send(last);
      const command = new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload: { Parts } });
      const limitMs = timeLimitFor(size, completeTimeoutMs);
      await withinTimeLimit(limitMs, undefined, (abortSignal) => slow.send(command, { abortSignal }));
    },
    async abort() {
      await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }), { requestTimeout: abortTimeoutMs });
    },
  };
}
