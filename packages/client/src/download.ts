import type { Connection } from './connection.ts';
import type { DownloadedFile, DownloadOptions } from './files.ts';
import { errorOf } from './problem.ts';
import { chunksOf, counted, streamOf } from './stream.ts';

/** `GET /api/attachments/{id}`. Throws a ProfileResponseError, or what the platform throws where there is no answer. */
export async function download(
  { url, headers }: Connection,
  id: string,
  { range, onProgress, signal }: DownloadOptions,
): Promise<DownloadedFile> {
  const response = await fetch(`${url}/api/attachments/${encodeURIComponent(id)}`, {
    headers: { ...(await headers()), ...(range ? { range: `bytes=${range.start}-${range.end ?? ''}` } : {}) },
    ...(signal ? { signal } : {}),
  });
  const head = (name: string) => response.headers.get(name) ?? '';
  if (!response.ok || !response.body) throw errorOf(response.status, head('content-type'), await response.text());
  const size = Number(head('content-length'));
  const body = onProgress
    ? streamOf(counted(chunksOf(response.body), (loaded) => onProgress({ loaded, total: size })))
    : (response.body as ReadableStream<Uint8Array>);
  const whole = new Response(body as ConstructorParameters<typeof Response>[0], { headers: { 'content-type': head('content-type') } });
  // Chromium tells a download that was aborted from no other failure.
  const read = <Content>(content: Promise<Content>) =>
    content.catch((error: unknown) => {
      signal?.throwIfAborted();
      throw error;
    });
  const [, start, end, total] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(head('content-range')) ?? [];
  return {
    filename: filenameIn(head('content-disposition')),
    contentType: head('content-type'),
    size,
    etag: head('etag'),
    ...(total === undefined ? {} : { range: { start: Number(start), end: Number(end), total: Number(total) } }),
    body: whole.body as ReadableStream<Uint8Array>,
    blob: () => read(whole.blob()),
    bytes: async () => new Uint8Array(await read(whole.arrayBuffer())),
  };
}

/** The name in the header as the service writes it (RFC 6266): the extended form before the plain one. */
function filenameIn(disposition: string): string {
  const extended = /filename\*=UTF-8''([^;]+)/i.exec(disposition)?.[1];
  if (extended !== undefined) return decodeURIComponent(extended);
  const [, quoted, token] = /filename=(?:"((?:[^"\\]|\\.)*)"|([^;]+))/i.exec(disposition) ?? [];
  return quoted?.replaceAll(/\\(.)/g, '$1') ?? token ?? 'file';
}
