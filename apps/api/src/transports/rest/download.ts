import type { IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { ProblemError } from '@profile-service/contracts';
import { create as contentDisposition } from 'content-disposition';
import type { Download } from '../../operation/files.ts';
import { type Exchange, sendNothing } from '../http/exchange.ts';
import { notePassing } from '../../observability/dead-buffers.ts';
import { parseRange } from './range.ts';

/** A download may take as long as an upload, in milliseconds: whoever reads a byte now and then holds a connection to the storage. */
const longestMs = 30 * 60_000;

/** Whatever a file holds, a browser that shows it all the same runs nothing of it, and as nobody's page. */
const contentPolicy = "default-src 'none'; frame-ancestors 'none'; sandbox";

/**
 * Sends a file, or the single range of it that the request asks for (RFC 9110: 206, 416), or 304 where the client has it.
 * The content is opened before the head is sent, so that a file that cannot be opened has its problem; one that breaks off cuts the connection.
 * @throws RANGE_NOT_SATISFIABLE, or what opening and reading the file throws
 */
export async function sendFile(request: IncomingMessage, exchange: Exchange, file: Download): Promise<void> {
  const { response } = exchange;
  const etag = `"${file.etag}"`;
  if (names(request.headers['if-none-match'], etag)) {
    response.setHeader('etag', etag);
    return sendNothing(exchange, 304);
  }
  const { range: asked, 'if-range': version = etag } = request.headers;
  // A range of another version is answered with the whole file.
  const range = asked !== undefined && version === etag ? parseRange(asked, file.size) : undefined;
  if (range === 'unsatisfiable') {
    response.setHeader('content-range', `bytes */${file.size}`);
    throw new ProblemError('RANGE_NOT_SATISFIABLE');
  }
  const content = await file.open(range);
  response.writeHead(range ? 206 : 200, {
    'content-type': file.contentType,
    'content-length': range ? range.end - range.start + 1 : file.size,
    'content-disposition': contentDisposition(file.filename),
    'content-security-policy': contentPolicy,
    'accept-ranges': 'bytes',
    etag,
    ...(range ? { 'content-range': `bytes ${range.start}-${range.end}/${file.size}` } : {}),
  });
  try {
    await pipeline(
      content.on('data', (chunk: Buffer) => notePassing(chunk.length)),
      response,
      { signal: AbortSignal.timeout(longestMs) },
    );
  } catch (error) {
    // A client that goes away, or takes too long, is no fault; the pipeline has ended what it was reading.
    if (['ERR_STREAM_PREMATURE_CLOSE', 'ABORT_ERR'].includes((error as NodeJS.ErrnoException).code ?? '')) return;
    throw new ProblemError('FailedToDownloadFileError', { cause: error });
  }
}

/** Whether a list of entity tags names this one; compared weakly, as If-None-Match is. */
const names = (list: string | undefined, etag: string): boolean =>
  (list ?? '').split(',').some((entry) => ['*', etag].includes(entry.trim().replace(/^W\//, '')));
