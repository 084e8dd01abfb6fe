import { createHash, randomUUID } from 'node:crypto';
import type { Blob } from './blobs.ts';
import { openBody, readText } from './body.ts';
import type { PartRow, UploadRow } from './catalog.ts';
import { StorageError } from './errors.ts';
import { headersToKeep } from './object-headers.ts';
import { placeObject } from './objects.ts';
import { enter, requireBucket, type Operation, type Store } from './operation.ts';
import type { StorageRequest } from './request.ts';
import { element, elements, parseDocument, result, textOf, type XmlFields } from './xml.ts';

const mostParts = 10_000;
const smallestPart = 5 * 1024 * 1024;

export const createUpload: Operation = (request, store) => {
  requireBucket(request, store);
  const { bucket, key } = request;
  const id = randomUUID();
  const headers = JSON.stringify(headersToKeep(request));
  store.catalog
    .sql`insert into upload (id, bucket, key, startedAt, headers) values (${id}, ${bucket}, ${key}, ${Date.now()}, ${headers})`.run();
  return { status: 200, body: result('InitiateMultipartUploadResult', ...named(request), element('UploadId', id)) };
};

export const uploadPart: Operation = async (request, store) => {
  findUpload(request, store);
  const number = Number(request.query['partNumber']);
  if (!Number.isInteger(number) || number < 1 || number > mostParts) {
    throw new StorageError('InvalidArgument', `A part number is between 1 and ${mostParts}.`);
  }
  const { content, checksums } = openBody(request);
  const blob = await store.blobs.write(content);
  await enter(store, blob, () => placePart(request, store, number, blob));
  return { status: 200, headers: { etag: `"${blob.md5}"`, ...checksums() } };
};

/** @throws StorageError NoSuchUpload when the upload was aborted while the part came in. @returns the blob that the part had before */
function placePart(request: StorageRequest, store: Store, number: number, { id, size, md5 }: Blob): string[] {
  const { sql } = store.catalog;
  const upload = findUpload(request, store).id;
  const replaced = sql`delete from part where upload = ${upload} and number = ${number} returning blob`.all<{ blob: string }>();
  sql`insert into part (upload, number, blob, size, etag, modifiedAt) values (${upload}, ${number}, ${id}, ${size}, ${md5}, ${Date.now()})`.run();
  return replaced.map((row) => row.blob);
}

export const completeUpload: Operation = async (request, store) => {
  const upload = findUpload(request, store);
  const listed = elements(parseDocument(await readText(request), 'CompleteMultipartUpload'), 'Part');
  const parts = chosenParts(listed, partsOf(store, upload.id));
  const blob = await store.blobs.join(parts.map((part) => part.blob));
  const etag = `${md5OfAll(parts)}-${parts.length}`;
  await enter(store, blob, () => [
    ...dropUpload(store, findUpload(request, store).id),
    ...placeObject(store, upload, blob, etag, JSON.parse(upload.headers) as object),
  ]);
  const location = `http://${request.headers.host}${request.path}`;
  return {
    status: 200,
    body: result('CompleteMultipartUploadResult', element('Location', location), ...named(request), element('ETag', `"${etag}"`)),
  };
};

export const abortUpload: Operation = async (request, store) => {
  await store.blobs.remove(store.catalog.atomically(() => dropUpload(store, findUpload(request, store).id)));
  return { status: 204 };
};

/** The upload that the request names. Throws NoSuchUpload when it was completed, aborted or never made, or is that of another key. */
export function findUpload({ bucket, key, query }: StorageRequest, { catalog: { sql } }: Store): UploadRow {
  const upload = sql`select * from upload where id = ${query['uploadId'] ?? ''} and bucket = ${bucket} and key = ${key}`.get<UploadRow>();
  if (!upload) throw new StorageError('NoSuchUpload', 'The upload does not exist; it may have been completed or aborted.');
  return upload;
}

/** The parts that have come in, by number. */
export const partsOf = ({ catalog: { sql } }: Store, upload: string): PartRow[] =>
  sql`select * from part where upload = ${upload} order by number`.all<PartRow>();

function dropUpload({ catalog: { sql } }: Store, id: string): string[] {
  const parts = sql`delete from part where upload = ${id} returning blob`.all<{ blob: string }>();
  sql`delete from upload where id = ${id}`.run();
  return parts.map((row) => row.blob);
}

function chosenParts(listed: XmlFields[], stored: PartRow[]): PartRow[] {
  const byNumber = new Map(stored.map((part) => [part.number, part]));
  const parts = listed.map((entry) => {
    const part = byNumber.get(Number(textOf(entry, 'PartNumber')));
    if (part?.etag !== textOf(entry, 'ETag').replaceAll('"', ''))
      throw new StorageError('InvalidPart', 'A part was not uploaded, or has another ETag.');
    return part;
  });
  if (parts.some((part, index) => part.number <= (parts[index - 1]?.number ?? 0))) {
    throw new StorageError('InvalidPartOrder', 'The parts have to be listed in the order of their numbers.');
  }
  if (parts.slice(0, -1).some((part) => part.size < smallestPart)) {
    throw new StorageError('EntityTooSmall', `Every part but the last has at least ${smallestPart} bytes.`);
  }
  return parts;
}

function md5OfAll(parts: PartRow[]): string {
  const md5 = createHash('md5');
  for (const part of parts) md5.update(part.etag, 'hex');
  return md5.digest('hex');
}

const named = ({ bucket, key }: StorageRequest) => [element('Bucket', bucket), element('Key', key)];
