import { pipeline } from 'node:stream/promises';
import { ProblemError } from '@profile-service/contracts';
import { create as contentDisposition } from 'content-disposition';
import type { Download } from '../../handler/files.ts';
import type { Exchange } from '../http/exchange.ts';
import { parseRange } from './range.ts';

/** How long a download may take, in milliseconds. A client that reads slowly holds a connection to the storage. */
const timeoutMs = 30 * 60_000;

/** A browser that shows the file nevertheless runs nothing of it. */
const contentSecurityPolicy = "default-src 'none'; frame-ancestors 'none'; sandbox";

/**
 * Sends a file, or the single range of it that the request asks for (RFC 9110: 206, 416), or 304 when the client has it. The content is opened before the
 * head is sent, so that a file that cannot be opened is answered with a problem; content that breaks off cuts the connection.
 * @throws RANGE_NOT_SATISFIABLE, or what opening and reading the file throws
 */
export async function sendFile(exchange: Exchange, file: Download): Promise<void> {
  const { headers } = exchange.request;
  const etag = `"${file.etag}"`;
  if (listsTag(headers['if-none-match'], etag)) {
    exchange.setHeader('etag', etag);
    return exchange.send(304);
  }
  const { range: header, 'if-range': version = etag } = headers;
  // A range of another version is answered with the whole file.
  const range = header !== undefined && version === etag ? parseRange(header, file.size) : undefined;
  if (range === 'unsatisfiable') {
    exchange.setHeader('content-range', `bytes */${file.size}`);
    throw new ProblemError('RANGE_NOT_SATISFIABLE');
  }
  const content = await file.open(range);
  exchange.sendHead(range ? 206 : 200, {
    'content-type': file.contentType,
    'content-length': range ? range.end - range.start + 1 : file.size,
    'content-disposition': contentDisposition(file.filename),
    'content-security-policy': contentSecurityPolicy,
    'accept-ranges': 'bytes',
    etag,
    ...(range ? { 'content-range': `bytes ${range.start}-${range.end}/${file.size}` } : {}),
  });
  try {
    await pipeline(content, exchange.response, { signal: AbortSignal.timeout(timeoutMs) });
  } catch (error) {
    // A client that goes away or takes too long is not a fault. The pipeline has closed the content.
    if (['ERR_STREAM_PREMATURE_CLOSE', 'ABORT_ERR'].includes((error as NodeJS.ErrnoException).code ?? '')) return;
    throw new ProblemError('FailedToDownloadFileError', { cause: error });
  }
}

/** Whether a list of entity tags contains this one, compared weakly, as If-None-Match is. */
const listsTag = (list: string | undefined, etag: string): boolean =>
  (list ?? '').split(',').some((entry) => ['*', etag].includes(entry.trim().replace(/^W\//, '')));
