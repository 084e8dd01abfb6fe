import type { Blob } from './blobs.ts';
import { openBody } from './body.ts';
import type { ObjectRow } from './catalog.ts';
import { requestedRange, unchanged } from './conditions.ts';
import { StorageError } from './errors.ts';
import { headersOf, headersToKeep } from './object-headers.ts';
import { enter, requireBucket, type Operation, type Store } from './operation.ts';
import { header, type StorageRequest } from './request.ts';

export const putObject: Operation = async (request, store) => {
  requireBucket(request, store);
  const unserved = ['if-match', 'if-none-match'].find((name) => header(request, name) !== undefined);
  if (unserved) throw new StorageError('NotImplemented', `${unserved} is not served here.`);
  const { content, checksums } = openBody(request);
  const blob = await store.blobs.write(content);
  const headers = { ...headersToKeep(request), ...checksums() };
  await enter(store, blob, () => placeObject(store, request, blob, blob.md5, headers));
  return { status: 200, headers: { etag: `"${blob.md5}"`, ...checksums() } };
};

/** Puts the blob under the request's key, within a transaction. @returns the blobs that no object has any more */
export function placeObject(
  { catalog: { sql } }: Store,
  place: Pick<ObjectRow, 'bucket' | 'key'>,
  blob: Blob,
  etag: string,
  headers: object,
): string[] {
  const { bucket, key } = place;
  const replaced = sql`delete from object where bucket = ${bucket} and key = ${key} returning blob`.all<{ blob: string }>();
  sql`insert into object (bucket, key, blob, size, etag, modifiedAt, headers)
    values (${bucket}, ${key}, ${blob.id}, ${blob.size}, ${etag}, ${Date.now()}, ${JSON.stringify(headers)})`.run();
  return replaced.map((row) => row.blob);
}

export const headObject: Operation = (request, store) => {
  const object = findObject(request, store);
  if (unchanged(request, object.etag)) return notModified(object);
  return { status: 200, headers: headersOf(object, request) };
};

export const getObject: Operation = (request, store) => {
  const object = findObject(request, store);
  if (unchanged(request, object.etag)) return notModified(object);
  const range = requestedRange(request, object.size);
  if (!range) return { status: 200, headers: headersOf(object, request), body: store.blobs.read(object.blob, 0, Infinity) };
  const { start, end } = range;
  const headers = {
    // A checksum is that of the whole object.
    ...Object.fromEntries(Object.entries(headersOf(object, request)).filter(([name]) => !name.startsWith('x-amz-checksum-'))),
    'content-length': String(end - start + 1),
    'content-range': `bytes ${start}-${end}/${object.size}`,
  };
  return { status: 206, headers, body: store.blobs.read(object.blob, start, end) };
};

export const deleteObject: Operation = async (request, store) => {
  requireBucket(request, store);
  await removeObject(store, request.bucket, request.key);
  return { status: 204 };
};

/** Removes the object if it exists; S3 makes no difference. */
export async function removeObject({ catalog: { sql }, blobs }: Store, bucket: string, key: string): Promise<void> {
  const removed = sql`delete from object where bucket = ${bucket} and key = ${key} returning blob`.all<{ blob: string }>();
  await blobs.remove(removed.map((row) => row.blob));
}

/** Throws NoSuchBucket or NoSuchKey. */
export function findObject({ bucket, key }: Pick<StorageRequest, 'bucket' | 'key'>, store: Store): ObjectRow {
  requireBucket({ bucket }, store);
  const object = store.catalog.sql`select * from object where bucket = ${bucket} and key = ${key}`.get<ObjectRow>();
  if (!object) throw new StorageError('NoSuchKey', 'The object does not exist.');
  return object;
}

const notModified = ({ etag }: ObjectRow) => ({ status: 304, headers: { etag: `"${etag}"` } });
