import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { StorageError } from './errors.ts';

/** A request in S3's terms, path style. */
export interface StorageRequest {
  incoming: IncomingMessage;
  method: string;
  /** As sent, still percent-encoded: the signature covers it to the letter. */
  path: string;
  query: Record<string, string>;
  headers: IncomingHttpHeaders;
  bucket: string;
  /** Empty for a request to the bucket itself. */
  key: string;
}

const longestKey = 1024;

/** Reads method, bucket, key and query. The key is taken as it stands: a `..` in it is two dots, not a step up. */
export function readRequest(incoming: IncomingMessage): StorageRequest {
  const [path = '', search = ''] = (incoming.url ?? '').split(/\?(.*)/s);
  const [, rawBucket = '', rawKey = ''] = path.split(/^\/([^/]*)\/?/);
  const key = decode(rawKey);
  if (!path.startsWith('/')) throw new StorageError('InvalidURI', 'The path has to start with a slash.');
  if (Buffer.byteLength(key) > longestKey) throw new StorageError('KeyTooLongError', `A key has at most ${longestKey} bytes.`);
  const query = readQuery(search);
  return { incoming, method: incoming.method ?? '', path, query, headers: incoming.headers, bucket: decode(rawBucket), key };
}

/** The value of a header that is sent at most once. */
export function header({ headers }: Pick<StorageRequest, 'headers'>, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}

function readQuery(search: string): Record<string, string> {
  const pairs = search.split('&').filter(Boolean);
  const entries = pairs.map((pair) => pair.split(/=(.*)/s)).map(([name = '', value = '']) => [decode(name), decode(value)] as const);
  if (new Set(entries.map(([name]) => name)).size < entries.length)
    throw new StorageError('InvalidArgument', 'A parameter is given twice.');
  return Object.fromEntries(entries);
}

/** Undoes percent-encoding. Throws InvalidURI. */
export function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new StorageError('InvalidURI', 'The address is not well-formed.');
  }
}
