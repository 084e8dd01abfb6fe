import { createBucket, headBucket } from './buckets.ts';
import { copyObject } from './copying.ts';
import { StorageError } from './errors.ts';
import { deleteObjects, listObjects } from './listing.ts';
import { abortUpload, completeUpload, createUpload, uploadPart } from './multipart.ts';
import { deleteObject, getObject, headObject, putObject } from './objects.ts';
import type { Operation } from './operation.ts';
import type { StorageRequest } from './request.ts';
import { listParts, listUploads } from './upload-listing.ts';

const operations: Record<string, Operation> = {
  'PUT bucket': createBucket,
  'HEAD bucket': headBucket,
  'GET bucket list-type': listObjects,
  'GET bucket uploads': listUploads,
  'POST bucket delete': deleteObjects,
  'PUT object': putObject,
  'PUT object x-amz-copy-source': copyObject,
  'GET object': getObject,
  'HEAD object': headObject,
  'DELETE object': deleteObject,
  'POST object uploads': createUpload,
  'PUT object partNumber uploadId': uploadPart,
  'GET object uploadId': listParts,
  'POST object uploadId': completeUpload,
  'DELETE object uploadId': abortUpload,
};

// Parameters that do not choose the operation. Any other one that is not in the table asks for something that is not served.
const refinements = [
  'x-id',
  'prefix',
  'max-keys',
  'continuation-token',
  'start-after',
  'delimiter',
  'encoding-type',
  'fetch-owner',
  'max-uploads',
];

/** Finds S3's operation behind method, address, query and the one header that chooses, too. Throws NotImplemented for those that are not served. */
export function findOperation({ method, bucket, key, query, headers }: StorageRequest): Operation {
  const subject = key ? 'object' : bucket ? 'bucket' : 'service';
  const chosen = Object.keys(query).filter((name) => !refinements.includes(name));
  if (headers['x-amz-copy-source'] !== undefined) chosen.push('x-amz-copy-source');
  const operation = operations[[method, subject, ...chosen.toSorted()].join(' ')];
  if (!operation) throw new StorageError('NotImplemented', 'This operation is not served here.');
  return operation;
}
