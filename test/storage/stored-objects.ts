import {
  AbortMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteBucketCommand,
  DeleteObjectCommand,
  ListMultipartUploadsCommand,
  paginateListObjectsV2,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import { z } from 'zod';
import { createClient } from '@profile-service/storage/s3';
import { type S3Settings, storageShape } from '@profile-service/storage';
import type { StoredFiles } from './stored-files.ts';

/** A bucket, read and changed without the service. */
export interface StoredObjects extends StoredFiles {
  /** Deletes the bucket with its content, and closes the connections. */
  removeBucket(): Promise<void>;
  close(): void;
}

/** The settings of S3 as the service reads them. */
export const readS3Settings = (settings: Record<string, string>): S3Settings =>
  z.object(storageShape).parse(settings) as unknown as S3Settings;

/** Gives access to a bucket without the service. @param settings those of the service */
export function storedObjects(settings: Record<string, string>): StoredObjects {
  const { STORAGE_DIR: _none, ...named } = settings;
  const s3 = readS3Settings(named);
  const client = createClient(s3, 10);
  const Bucket = s3.STORAGE_BUCKET;
  const uploads = async () => (await client.send(new ListMultipartUploadsCommand({ Bucket }))).Uploads ?? [];
  const keys = async () => {
    const found: string[] = [];
    for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket })) found.push(...Contents.map(({ Key = '' }) => Key));
    return found;
  };
  const deleteObject = async (Key: string) => void (await client.send(new DeleteObjectCommand({ Bucket, Key })));
  return {
    keys,
    openUploads: async () => (await uploads()).map(({ Key = '' }) => Key).toSorted(),
    put: async (Key, content = '%PDF-') => void (await client.send(new PutObjectCommand({ Bucket, Key, Body: content }))),
    remove: deleteObject,
    leaveUpload: async (Key) => void (await client.send(new CreateMultipartUploadCommand({ Bucket, Key }))),
    async removeBucket() {
      for (const { Key, UploadId } of await uploads()) await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }));
      await Promise.all((await keys()).map(deleteObject));
      await client.send(new DeleteBucketCommand({ Bucket }));
      client.destroy();
    },
    close: () => client.destroy(),
  };
}
