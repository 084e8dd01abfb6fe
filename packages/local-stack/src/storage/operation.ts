import type { Readable } from 'node:stream';
import type { XmlNode } from '@aws-sdk/xml-builder';
import type { Blobs } from './blobs.ts';
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

/** Throws NoSuchBucket unless the request's bucket exists. */
export function requireBucket({ bucket }: StorageRequest, { catalog }: Store): void {
  if (!catalog.sql.get`select 1 from bucket where name = ${bucket}`) throw new StorageError('NoSuchBucket', 'The bucket does not exist.');
}
