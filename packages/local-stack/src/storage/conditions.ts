import parseRange from 'range-parser';
import { StorageError } from './errors.ts';
import { header, type StorageRequest } from './request.ts';

/**
 * Compares If-Match and If-None-Match (RFC 9110, 13.1) with the object's ETag, given without quotes.
 * @returns whether the client has the object already: 304
 * @throws StorageError PreconditionFailed
 */
export function unchanged(request: StorageRequest, etag: string): boolean {
  const [ifMatch, ifNoneMatch] = [header(request, 'if-match'), header(request, 'if-none-match')];
  if (ifMatch !== undefined && !names(ifMatch, etag)) throw new StorageError('PreconditionFailed', 'The object has another ETag.');
  return ifNoneMatch !== undefined && names(ifNoneMatch, etag);
}

/**
 * The bytes that a Range header asks for, both ends included. Absent: the whole object, also for what is no single range of bytes.
 * @throws StorageError InvalidRange when none of them exists
 */
export function requestedRange(request: StorageRequest, size: number): { start: number; end: number } | undefined {
  const ranges = parseRange(size, header(request, 'range') ?? '');
  if (ranges === -1) throw new StorageError('InvalidRange', 'The object has no such bytes.', { 'content-range': `bytes */${size}` });
  return typeof ranges === 'object' && ranges.type === 'bytes' && ranges.length === 1 ? ranges[0] : undefined;
}

const names = (list: string, etag: string): boolean =>
  list.split(',').some((entry) => ['*', etag].includes(entry.trim().replace(/^(?:W\/)?"(.*)"$/, '$1')));
