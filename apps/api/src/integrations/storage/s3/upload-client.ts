import { AbortMultipartUploadCommand, CompleteMultipartUploadCommand, type S3Client, UploadPartCommand } from '@aws-sdk/client-s3';

/** In milliseconds. A storage needs time to join the parts of a large file. The storage clean-up aborts what cannot be aborted in time. */
const completionMs = 60_000;
const abortionMs = 5_000;

/** The client for one `Upload` with a queue of one: with a time limit that fits each command, and freeing each part when it is stored. */
export function clientOfUpload(client: S3Client): S3Client {
  const free = partFreer();
  async function sendPart(command: UploadPartCommand) {
    const sent = await client.send(command);
    free((command.input.Body as Buffer<ArrayBuffer>).buffer);
    return sent;
  }
  const send = (command: Parameters<S3Client['send']>[0]) => {
    if (command instanceof UploadPartCommand) return sendPart(command);
    if (command instanceof CompleteMultipartUploadCommand) return client.send(command, { requestTimeout: completionMs });
    if (command instanceof AbortMultipartUploadCommand) return client.send(command, { requestTimeout: abortionMs });
    return client.send(command);
  };
  return Object.assign(Object.create(client) as S3Client, { send });
}

/**
 * Frees the memory of a part as soon as the next one is stored, since V8 frees such buffers late: measured with an upload of 1 GiB, the process
 * grows by 14 MiB instead of 60 to 75; the limit is 64. Until then the rest of the part before may be the beginning of the next.
 */
function partFreer(): (part: ArrayBuffer) => void {
  let partBefore: ArrayBuffer | undefined;
  return (part) => {
    if (partBefore !== part) partBefore?.transfer(0);
    partBefore = part;
  };
}

/** Bytes of a part, as `Upload` has it by default. */
const partBytes = 5 * 1024 * 1024;

/** The same content, with copies of the chunks that are larger than a part: `Upload` sends those without copying them, so freeing a part would free the caller's buffer. */
export async function* copyLargeChunks(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of content) yield chunk.length > partBytes ? Buffer.from(chunk) : chunk;
}
