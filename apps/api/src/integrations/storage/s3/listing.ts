import { AbortMultipartUploadCommand, ListMultipartUploadsCommand, paginateListObjectsV2, type S3Client } from '@aws-sdk/client-s3';
import type { StoredObject } from '../storage.ts';

/** Lists the objects under the prefix, in pages. */
export async function* listObjects(client: S3Client, Bucket: string, Prefix: string, pageSize: number): AsyncGenerator<StoredObject[]> {
  for await (const { Contents = [] } of paginateListObjectsV2({ client, pageSize }, { Bucket, Prefix })) {
    yield Contents.map(({ Key = '', LastModified = new Date() }) => ({ key: Key, modifiedAt: LastModified }));
  }
}

/** Aborts the multipart uploads that began before the date and were not completed, at most 1000. @returns their number */
export async function abortUploads(client: S3Client, Bucket: string, Prefix: string, before: Date): Promise<number> {
  const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket, Prefix }));
  const abandoned = Uploads.filter(({ Initiated }) => Initiated && Initiated < before);
  for (const { Key, UploadId } of abandoned) await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }));
  return abandoned.length;
}
