import { AbortMultipartUploadCommand, CompleteMultipartUploadCommand, type S3Client } from '@aws-sdk/client-s3';

/** In milliseconds. A storage needs time to join the parts of a large file. The storage clean-up aborts what cannot be aborted in time. */
const completionMs = 60_000;
const abortionMs = 5_000;

/** The client for one `Upload`, with a time limit that fits each command. */
export function clientOfUpload(client: S3Client): S3Client {
  const send = (command: Parameters<S3Client['send']>[0]) => {
    if (command instanceof CompleteMultipartUploadCommand) return client.send(command, { requestTimeout: completionMs });
    if (command instanceof AbortMultipartUploadCommand) return client.send(command, { requestTimeout: abortionMs });
    return client.send(command);
  };
  return Object.assign(Object.create(client) as S3Client, { send });
}
