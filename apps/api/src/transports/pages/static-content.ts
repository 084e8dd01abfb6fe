import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { RequestHandler } from 'express';

/** Content that is the same in every response. */
export interface StaticContent {
  /** A hash of the content, for its entity tag and for the version in its address. */
  version: string;
  send: RequestHandler;
}

/** The encodings, best first. They run in a thread of the pool. */
const compressions = {
  // Quality 9 takes 0.3 s for 4 MB, and 15 ms for the OpenAPI document.
  br: (bytes: Buffer) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: (bytes: Buffer) => promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION }),
};
type Encoding = keyof typeof compressions;
const encodings = Object.keys(compressions) as Encoding[];

/**
 * Creates content. It compresses the bytes once for each encoding: compressing each response would take 60 ms of processor time for the script of the API
 * reference, and 2 MB of memory for each client that reads slowly. The response may be cached for ever if the query of its address is the version
 * (`?v=<version>`). Otherwise caches revalidate it on every use.
 * @param type a media type or the extension of a file
 */
export function createStaticContent(type: string, bytes: Buffer): StaticContent {
  const version = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
  const compressed = new Map<Encoding, Promise<Buffer>>();
  function compress(encoding: Encoding): Promise<Buffer> {
    const known = compressed.get(encoding) ?? compressions[encoding](bytes);
    compressed.set(encoding, known);
    return known;
  }
  return {
    version,
    async send(request, response) {
      const encoding = encodings.find((name) => request.acceptsEncodings(name));
      response.type(type).vary('Accept-Encoding');
      response.setHeader('etag', encoding ? `"${version}-${encoding}"` : `"${version}"`);
      response.setHeader('cache-control', request.url.endsWith(`?v=${version}`) ? 'public, max-age=31536000, immutable' : 'no-cache');
      const body = encoding ? await compress(encoding) : bytes;
      if (encoding) response.setHeader('content-encoding', encoding);
      response.send(body);
    },
  };
}
