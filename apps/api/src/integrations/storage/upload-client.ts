import { AbortMultipartUploadCommand, CompleteMultipartUploadCommand, type S3Client, UploadPartCommand } from '@aws-sdk/client-s3';

/** Milliseconds. To put the parts of a large file together takes a storage a while; what cannot be given up is left to the janitor. */
const completionMs = 60_000;
const abortionMs = 5_000;

/**
 * The client as one `Upload` with a queue of one uses it: with a time limit that fits each command, and without its garbage. Each part is a copy
 * of 5 MiB, referred to until the next part has been made of what it had too much; after that its memory is given back at once, as V8 would not.
 */
export function clientOfUpload(client: S3Client): S3Client {
  let partBefore: ArrayBuffer | undefined;
  async function sendPart(command: UploadPartCommand) {
    const sent = await client.send(command);
    const part = (command.input.Body as Buffer<ArrayBuffer>).buffer;
    // The last part may be the rest of the one before.
    if (partBefore !== part) partBefore?.transfer(0);
    partBefore = part;
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
