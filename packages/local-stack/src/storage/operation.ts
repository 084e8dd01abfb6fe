import type { Readable } from 'node:stream';
import type { XmlNode } from '@aws-sdk/xml-builder';
import type { Blob, Blobs } from './blobs.ts';
import type { Catalog } from './catalog.ts';
import { StorageError } from './errors.ts';
import type { StorageRequest } from './request.ts';

export interface Store {
  catalog: Catalog;
  blobs: Blobs;
}

export interface Answer {
  status: number;
  headers?: Record<string, string>;
  body?: XmlNode | Readable;
}

/** One of S3's operations; what is refused is thrown as a StorageError. */
export type Operation = (request: StorageRequest, store: Store) => Answer | Promise<Answer>;

/**
 * Makes a newly written blob part of the catalog by the transaction `place`, then removes the blobs that it answers as no longer used.
 * Where the transaction fails, the new blob goes.
 */
export async function enter({ catalog, blobs }: Store, blob: Blob, place: () => string[]): Promise<void> {
  let unused = [blob.id];
  try {
    unused = catalog.atomically(place);
  } finally {
    await blobs.remove(unused);
  }
}

/** Throws NoSuchBucket unless the request's bucket exists. */
export function requireBucket({ bucket }: Pick<StorageRequest, 'bucket'>, { catalog }: Store): void {
  if (!catalog.sql`select 1 from bucket where name = ${bucket}`.get()) throw new StorageError('NoSuchBucket', 'The bucket does not exist.');
}
