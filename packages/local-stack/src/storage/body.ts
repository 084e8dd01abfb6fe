import { createHash } from 'node:crypto';
import { keptChecksums, verifyChecksums } from './checksums.ts';
import { decodeChunked } from './chunked-body.ts';
import { StorageError } from './errors.ts';
import { header, type StorageRequest } from './request.ts';

const longestText = 4 * 1024 * 1024;

export interface Body {
  /** The decoded bytes. Throws a StorageError at the end when they are not what signature and checksums say. */
  content: AsyncIterable<Buffer>;
  /** The checksum headers that the content has passed; complete when the content has been read to its end. */
  checksums(): Record<string, string>;
}

/** Opens the request's body as a stream: whatever its size, a piece of it at a time is in memory. */
export function openBody(request: StorageRequest): Body {
  const trailers: Record<string, string> = {};
  const stated = (name: string) => trailers[name] ?? header(request, name);
  const announced = new Set([...Object.keys(request.headers), ...(header(request, 'x-amz-trailer') ?? '').toLowerCase().split(/ *, */)]);
  const content = verifyLength(
    verifyChecksums(decoded(request, trailers), announced, stated),
    header(request, 'x-amz-decoded-content-length'),
  );
  const checksums = () => keptChecksums(stated);
  return { content, checksums };
}

/** The whole body as text, for the XML of some operations. */
export async function readText(request: StorageRequest): Promise<string> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of openBody(request).content) {
    size += piece.length;
    if (size > longestText) throw new StorageError('EntityTooLarge', `The document has more than ${longestText} bytes.`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString();
}

function decoded(request: StorageRequest, trailers: Record<string, string>): AsyncIterable<Buffer> {
  // Left open on an early end, so that the error still reaches the client.
  const source = request.incoming.iterator({ destroyOnReturn: false }) as AsyncIterableIterator<Buffer>;
  const payload = header(request, 'x-amz-content-sha256') ?? '';
  if (payload === 'UNSIGNED-PAYLOAD') return source;
  if (payload === 'STREAMING-UNSIGNED-PAYLOAD-TRAILER') return decodeChunked(source, trailers);
  if (/^[0-9a-f]{64}$/.test(payload)) return verifySignedPayload(source, payload);
  throw new StorageError('NotImplemented', `x-amz-content-sha256 of ${payload || 'nothing'} is not served here.`);
}

async function* verifySignedPayload(content: AsyncIterable<Buffer>, expected: string): AsyncGenerator<Buffer> {
  const sum = createHash('sha256');
  for await (const piece of content) {
    sum.update(piece);
    yield piece;
  }
  if (sum.digest('hex') !== expected) throw new StorageError('XAmzContentSHA256Mismatch', 'The body is not the one that was signed.');
}

async function* verifyLength(content: AsyncIterable<Buffer>, stated: string | undefined): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const piece of content) {
    size += piece.length;
    yield piece;
  }
  if (stated !== undefined && size !== Number(stated))
    throw new StorageError('IncompleteBody', `${stated} bytes were announced, ${size} came.`);
}
