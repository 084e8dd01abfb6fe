import type { Connection } from './connection.ts';
import type { DownloadedFile, DownloadOptions } from './files.ts';
import { toResponseError } from './problem.ts';
import { retry } from './retries.ts';
import { readChunks, reportProgress, toStream } from './stream.ts';

/**
 * Downloads a file by `GET /api/attachments/{id}`.
 * @throws ProfileResponseError for an error response, and the error of `fetch` when there is no response
 */
export async function download(
  { url, headers, maxAttempts }: Connection,
  id: string,
  { range, onProgress, signal }: DownloadOptions,
): Promise<DownloadedFile> {
  const { response, stream } = await retry(maxAttempts, signal, async () => {
    const attempt = await fetch(`${url}/api/attachments/${encodeURIComponent(id)}`, {
      headers: { ...(await headers()), ...(range ? { range: `bytes=${range.start}-${range.end ?? ''}` } : {}) },
      ...(signal ? { signal } : {}),
    });
    if (!attempt.ok || !attempt.body) throw toResponseError(attempt.status, (name) => attempt.headers.get(name), await attempt.text());
    return { response: attempt, stream: attempt.body };
  });
  const header = (name: string) => response.headers.get(name) ?? '';
  const size = Number(header('content-length'));
  const body = onProgress
    ? toStream(reportProgress(readChunks(stream), (loaded) => onProgress({ loaded, total: size })))
    : (stream as ReadableStream<Uint8Array>);
  const bodyResponse = new Response(body as ConstructorParameters<typeof Response>[0], {
    headers: { 'content-type': header('content-type') },
  });
  // Chromium reports an abort as a generic network error: throw the reason of the signal instead.
  const read = <Content>(content: Promise<Content>) =>
    content.catch((error: unknown) => {
      signal?.throwIfAborted();
      throw error;
    });
  const [, start, end, total] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(header('content-range')) ?? [];
  return {
    filename: parseFilename(header('content-disposition')),
    contentType: header('content-type'),
    size,
    etag: header('etag'),
    ...(total === undefined ? {} : { range: { start: Number(start), end: Number(end), total: Number(total) } }),
    body: bodyResponse.body as ReadableStream<Uint8Array>,
    blob: () => read(bodyResponse.blob()),
    bytes: async () => new Uint8Array(await read(bodyResponse.arrayBuffer())),
  };
}

/** Parses the file name of Content-Disposition (RFC 6266). The extended form (`filename*`) has precedence. */
function parseFilename(disposition: string): string {
  const extended = /filename\*=UTF-8''([^;]+)/i.exec(disposition)?.[1];
  if (extended !== undefined) return decodeURIComponent(extended);
  const [, quoted, token] = /filename=(?:"((?:[^"\\]|\\.)*)"|([^;]+))/i.exec(disposition) ?? [];
  return quoted?.replaceAll(/\\(.)/g, '$1') ?? token ?? 'file';
}
