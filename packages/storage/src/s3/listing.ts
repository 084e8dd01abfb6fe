import {
  AbortMultipartUploadCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  paginateListObjectsV2,
  type S3Client,
} from '@aws-sdk/client-s3';
import type { StoredObject } from '../storage.ts';

/** Lists the objects under the prefix, in pages. */
export async function* listObjects(client: S3Client, Bucket: string, Prefix: string, pageSize: number): AsyncGenerator<StoredObject[]> {
  for await (const { Contents = [] } of paginateListObjectsV2({ client, pageSize }, { Bucket, Prefix })) {
    yield Contents.map(({ Key = '', LastModified = new Date() }) => ({ key: Key, modifiedAt: LastModified }));
  }
}

/** Aborts the multipart uploads that began before the date and were not completed, page by page. @returns their number */
export async function abortUploads(client: S3Client, Bucket: string, Prefix: string, before: Date): Promise<number> {
  let aborted = 0;
  let next: { KeyMarker?: string | undefined; UploadIdMarker?: string | undefined } | undefined = {};
  while (next) {
    const page: ListMultipartUploadsCommandOutput = await client.send(new ListMultipartUploadsCommand({ Bucket, Prefix, ...next }));
    for (const { Key, UploadId, Initiated } of page.Uploads ?? []) {
      if (!Initiated || Initiated >= before) continue;
      await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }));
      aborted += 1;
    }
    next = page.IsTruncated ? { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker } : undefined;
  }
  return aborted;
}
