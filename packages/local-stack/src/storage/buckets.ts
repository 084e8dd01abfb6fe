import { StorageError } from './errors.ts';
import { requireBucket, type Operation, type Store } from './operation.ts';

/** Makes the bucket. Throws InvalidBucketName for a name that S3 would not take. @returns whether it is new */
export function makeBucket({ catalog }: Store, name: string): boolean {
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(name)) {
    throw new StorageError('InvalidBucketName', 'A bucket is named with 3 to 63 small letters, digits, dots and hyphens.');
  }
  return catalog.sql`insert into bucket (name) values (${name}) on conflict do nothing`.run() === 1;
}

export const createBucket: Operation = ({ bucket }, store) => {
  if (!makeBucket(store, bucket)) throw new StorageError('BucketAlreadyOwnedByYou', 'The bucket exists already.');
  return { status: 200, headers: { location: `/${bucket}` } };
};

export const headBucket: Operation = (request, store) => {
  requireBucket(request, store);
  return { status: 200 };
};
