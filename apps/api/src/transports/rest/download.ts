import { pipeline } from 'node:stream/promises';
import { ProblemError } from '@profile-service/contracts';
import { create as contentDisposition } from 'content-disposition';
import type { Response } from 'express';
import type { Download } from '../../request/files.ts';
import { includesTag, parseEntityTags } from '../../request/entity-tags.ts';
import { countFileBytes } from './collect-buffers.ts';
import { send, setHeaders, setRateLimitHeaders } from '../http/send.ts';
import { parseRange } from './range.ts';

/** How long a download may take, in milliseconds. A client that reads slowly occupies a connection to the storage (D-16). */
const timeoutMs = 30 * 60_000;

/** A browser that displays the file runs no script in it. */
const contentSecurityPolicy = "default-src 'none'; frame-ancestors 'none'; sandbox";

/**
 * Sends a file, one range of it (206, 416), or 304 if the client has the current version (RFC 9110). It opens the content before it sends the headers, so
 * that the client gets a problem document if the file cannot be opened. If reading fails later, it closes the connection. HEAD does not open the content.
 * @throws RANGE_NOT_SATISFIABLE, or what opening and reading the file throws
 */
export async function sendFile(response: Response, file: Download): Promise<void> {
  const { headers, method } = response.req;
  const isHead = method === 'HEAD';
  const { etag } = file;
  const cached = parseEntityTags(headers['if-none-match'] ?? '');
  if (cached && includesTag(cached, etag)) {
    response.setHeader('etag', etag);
    return send(response, 304);
  }
  const { range: header, 'if-range': version = etag } = headers;
  // Send the whole file if the range is of another version. Range applies to GET only (RFC 9110, 14.2).
  const range = !isHead && header !== undefined && version === etag ? parseRange(header, file.size) : undefined;
  if (range === 'unsatisfiable') {
    response.setHeader('content-range', `bytes */${file.size}`);
    throw new ProblemError('RANGE_NOT_SATISFIABLE');
  }
  const content = isHead ? undefined : await file.open(range);
  setRateLimitHeaders(response);
  setHeaders(response, {
    'content-type': file.contentType,
    'content-length': range ? range.end - range.start + 1 : file.size,
    'content-disposition': contentDisposition(file.filename),
    'content-security-policy': contentSecurityPolicy,
    'accept-ranges': 'bytes',
    etag,
    ...(range ? { 'content-range': `bytes ${range.start}-${range.end}/${file.size}` } : {}),
  });
  response.writeHead(range ? 206 : 200);
  if (!content) return void response.end();
  try {
    content.on('data', (chunk: Buffer) => countFileBytes(chunk.length));
    await pipeline(content, response, { signal: AbortSignal.timeout(timeoutMs) });
  } catch (error) {
    // A client that disconnects or takes too long is not an error. The pipeline has closed the content.
    if (['ERR_STREAM_PREMATURE_CLOSE', 'ABORT_ERR'].includes((error as NodeJS.ErrnoException).code ?? '')) return;
    throw new ProblemError('FailedToDownloadFileError', { cause: error });
  }
}
