import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import Negotiator from 'negotiator';
import { includesTag, parseEntityTags } from '../../request/entity-tags.ts';
import { compress, type Encoding, encodings } from './compression.ts';
import { contentTypes, type ContentType } from './page.ts';

/** Content that is the same in every response. Each encoding is one buffer, so clients that do not read their responses hold no copies. */
export interface StaticContent {
  type: ContentType;
  /** A hash of the content, for its ETag and for the version in its address. */
  hash: string;
  encoded(encoding: Encoding): Promise<Buffer>;
}

/** Creates content from a text. Compresses it at the first request for each encoding. */
export function textContent(type: ContentType, text: string): StaticContent {
  const bytes = Buffer.from(text);
  return { type, hash: hashOf(bytes), encoded: once((encoding) => compress(bytes, encoding)) };
}

/** Returns a short hash of the bytes that is safe in a URL. */
export const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('base64url').slice(0, 22);

/** Calls `load` at the first call for each encoding. */
export function once(load: (encoding: Encoding) => Promise<Buffer>): StaticContent['encoded'] {
  const loaded = new Map<Encoding, Promise<Buffer>>();
  return (encoding) => {
    const known = loaded.get(encoding);
    if (known) return known;
    const loading = load(encoding);
    loaded.set(encoding, loading);
    loading.catch(() => loaded.delete(encoding));
    return loading;
  };
}

/**
 * Sends the content in the best encoding that the client accepts, or 304 if the client has it. The response may be cached for ever if the query of its
 * address is the version (`?v=<hash>`). Otherwise caches revalidate it on every use.
 */
export async function sendStatic(request: IncomingMessage, response: ServerResponse, content: StaticContent): Promise<void> {
  const accepted = new Negotiator(request).encodings([...encodings]);
  const encoding = encodings.find((name) => accepted.includes(name)) ?? 'identity';
  const etag = encoding === 'identity' ? `"${content.hash}"` : `"${content.hash}-${encoding}"`;
  response.appendHeader('vary', 'Accept-Encoding');
  response.setHeader('etag', etag);
  response.setHeader('cache-control', isVersioned(request, content) ? 'public, max-age=31536000, immutable' : 'no-cache');
  const known = parseEntityTags(request.headers['if-none-match'] ?? '');
  if (known && includesTag(known, etag)) return void response.writeHead(304).end();
  const body = await content.encoded(encoding);
  if (encoding !== 'identity') response.setHeader('content-encoding', encoding);
  response.writeHead(200, { 'content-type': contentTypes[content.type], 'content-length': body.length });
  response.end(body);
}

const isVersioned = ({ url = '' }: IncomingMessage, { hash }: StaticContent): boolean => url.endsWith(`?v=${hash}`);
