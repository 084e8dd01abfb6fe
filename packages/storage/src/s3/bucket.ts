import {
  CreateBucketCommand,
  HeadBucketCommand,
  ListObjectsV2Command,
  NotFound,
  type S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { StorageConfigurationError } from '../configuration-error.ts';

/** Time limit of a check in milliseconds, with all of its requests. */
const checkTimeoutMs = 3_000;

/** Sentences for the operator, by error code of S3. */
const explanations: Record<string, string> = {
  NoSuchBucket: 'The bucket STORAGE_BUCKET does not exist: create it or correct the name.',
  InvalidBucketName: 'STORAGE_BUCKET is no valid name of a bucket: correct it.',
  InvalidAccessKeyId: 'The storage does not know the key: correct STORAGE_ACCESS_KEY_ID.',
  SignatureDoesNotMatch: 'The storage rejects the signature: correct STORAGE_SECRET_ACCESS_KEY.',
  AccessDenied: 'The key in STORAGE_ACCESS_KEY_ID may not list STORAGE_BUCKET: give it the permissions on the bucket and on its objects.',
};
const missingAndForbidden = 'The bucket STORAGE_BUCKET does not exist, and the key may not create it: create it or correct the name.';
const regionCodes = ['AuthorizationHeaderMalformed', 'PermanentRedirect', 'IllegalLocationConstraintException'];

/**
 * Checks that the bucket exists and that the key may list it.
 * @param onCreated if given, a missing bucket is created, and this is called afterwards
 * @throws StorageConfigurationError if the operator must change something, otherwise the error of the request
 */
export async function checkBucket(client: S3Client, Bucket: string, onCreated?: () => void): Promise<void> {
  const options = { abortSignal: AbortSignal.timeout(checkTimeoutMs) };
  try {
    await client.send(new HeadBucketCommand({ Bucket }), options);
  } catch (error) {
    if (options.abortSignal.aborted) throw new Error(`No response: timeout after ${checkTimeoutMs} ms`, { cause: error });
    if (!(error instanceof S3ServiceException)) throw error;
    await (onCreated && error instanceof NotFound ? createBucket(error) : repeatAsGet(error));
  }

  /** The response of a HEAD request has no body, and therefore no error code. The repetition succeeds if the client has corrected its clock meanwhile. */
  async function repeatAsGet(error: S3ServiceException): Promise<void> {
    try {
      await client.send(new ListObjectsV2Command({ Bucket, MaxKeys: 1 }), options);
    } catch (refusal) {
      throw explain(refusal, error, Bucket);
    }
  }

  async function createBucket(missing: S3ServiceException): Promise<void> {
    try {
      await client.send(new CreateBucketCommand({ Bucket }), options);
      onCreated?.();
    } catch (refusal) {
      // Another instance has created it meanwhile.
      if (refusal instanceof S3ServiceException && refusal.name === 'BucketAlreadyOwnedByYou') return;
      const isForbidden = refusal instanceof S3ServiceException && refusal.name === 'AccessDenied';
      throw isForbidden ? new StorageConfigurationError(missingAndForbidden, { cause: refusal }) : explain(refusal, missing, Bucket);
    }
  }
}

/** The error for the operator. @param refusal has the error code  @param error the failed HEAD request */
function explain(refusal: unknown, error: S3ServiceException, bucket: string): Error {
  if (!(refusal instanceof S3ServiceException)) return refusal as Error;
  const message = regionCodes.includes(refusal.name) ? explainRegion(refusal) : explanations[refusal.name];
  return message === undefined ? withMessage(error, bucket) : new StorageConfigurationError(message, { cause: refusal });
}

function explainRegion(error: S3ServiceException): string {
  const named = 'Region' in error ? error.Region : error.$response?.headers['x-amz-bucket-region'];
  if (typeof named !== 'string' || !/^[\w-]+$/.test(named)) {
    return 'The storage is in another region than STORAGE_REGION: correct STORAGE_REGION, and STORAGE_ENDPOINT if it names a region.';
  }
  return `The storage is in the region ${named}: set STORAGE_REGION to it, and correct STORAGE_ENDPOINT if that names a region.`;
}

/** Adds a message to the error of a HEAD request. */
export function withMessage(error: unknown, bucket: string): Error {
  if (!(error instanceof S3ServiceException)) return error as Error;
  const { name, $metadata } = error;
  return new Error(`The storage rejects the request for bucket ${bucket}: ${name} (${$metadata.httpStatusCode})`, { cause: error });
}
