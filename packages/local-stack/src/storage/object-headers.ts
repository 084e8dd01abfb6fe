import type { ObjectRow } from './catalog.ts';
import { header, type StorageRequest } from './request.ts';

const kept = ['content-type', 'content-disposition', 'content-encoding', 'content-language', 'cache-control', 'expires'];

/** The headers of an upload that are stored, to be given back with the object: its type, its like, and x-amz-meta-…. */
export function headersToKeep(request: StorageRequest): Record<string, string> {
  const names = Object.keys(request.headers).filter((name) => kept.includes(name) || name.startsWith('x-amz-meta-'));
  const headers = Object.fromEntries(names.map((name) => [name, header(request, name) ?? '']));
  // aws-chunked is how the body travelled, not how the object is encoded.
  const encodings = (headers['content-encoding'] ?? '').split(/ *, */).filter((coding) => coding && coding !== 'aws-chunked');
  delete headers['content-encoding'];
  if (encodings.length > 0) headers['content-encoding'] = encodings.join(', ');
  return { 'content-type': 'binary/octet-stream', ...headers };
}

/** The headers that go with a whole object; checksums only where the client asks for them. */
export function headersOf(object: ObjectRow, request: StorageRequest): Record<string, string> {
  const stored = Object.entries(JSON.parse(object.headers) as Record<string, string>);
  const withChecksums = header(request, 'x-amz-checksum-mode')?.toUpperCase() === 'ENABLED';
  return {
    ...Object.fromEntries(stored.filter(([name]) => withChecksums || !name.startsWith('x-amz-checksum-'))),
    'content-length': String(object.size),
    etag: `"${object.etag}"`,
    'last-modified': new Date(object.modifiedAt).toUTCString(),
    'accept-ranges': 'bytes',
  };
}
