import { AbortMultipartUploadCommand, ListMultipartUploadsCommand, paginateListObjectsV2, type S3Client } from '@aws-sdk/client-s3';
import type { StoredObject } from '../storage.ts';

/** The objects under the prefix, in pages. Throws the storage's failure. */
export async function* listObjects(client: S3Client, Bucket: string, Prefix: string, pageSize: number): AsyncGenerator<StoredObject[]> {
  for await (const { Contents = [] } of paginateListObjectsV2({ client, pageSize }, { Bucket, Prefix })) {
    yield Contents.map(({ Key = '', LastModified = new Date() }) => ({ key: Key, modifiedAt: LastModified }));
  }
}

/** Aborts multipart uploads that crashes left behind, at most 1000. @returns how many there were */
export async function abortUploads(client: S3Client, Bucket: string, Prefix: string, before: Date): Promise<number> {
  const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket, Prefix }));
  const abandoned = Uploads.filter(({ Initiated }) => Initiated && Initiated < before);
  for (const { Key, UploadId } of abandoned) await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }));
  return abandoned.length;
}
