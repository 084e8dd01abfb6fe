import type { Connection } from './connection.ts';
import { connectionFailed } from './error-from.ts';
import type { DownloadedFile, DownloadOptions } from './files.ts';
import { fromResponse, receive } from './response.ts';
import { retry } from './retries.ts';
import { readChunks, reportProgress, toStream } from './stream.ts';

/** Downloads a file by `GET /api/attachments/{id}`. @throws ProfileError */
export async function download(
  connection: Connection,
  id: string,
  { range, onProgress, signal }: DownloadOptions,
): Promise<DownloadedFile> {
  const { url, fetch, authorize } = connection;
  const target = `${url}/api/attachments/${encodeURIComponent(id)}`;
  const rangeHeader: Record<string, string> = range ? { range: `bytes=${range.start}-${range.end ?? ''}` } : {};
  const response = await retry({ connection, policy: 'repeatable', signal }, async (tenantId) => {
    const attempt = await authorize(tenantId, (callerHeaders) =>
      fetch(target, { headers: { ...callerHeaders, ...rangeHeader }, signal: signal ?? null }),
    );
    if (!attempt.ok) throw fromResponse(await receive(attempt, signal));
    return attempt;
  });
  const header = (name: string) => response.headers.get(name) ?? '';
  // `Number('')` is 0.
  const size = response.headers.has('content-length') ? Number(header('content-length')) : undefined;
  const chunks = readBody(response, signal);
  const body = toStream(
    onProgress ? reportProgress(chunks, (loaded) => onProgress({ loaded, ...(size === undefined ? {} : { total: size }) })) : chunks,
  );
  const content = new Response(body as ConstructorParameters<typeof Response>[0], { headers: { 'content-type': header('content-type') } });
  const [, start, end, total] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(header('content-range')) ?? [];
  return {
    filename: parseFilename(header('content-disposition')),
    contentType: header('content-type'),
    ...(size === undefined ? {} : { size }),
    etag: header('etag'),
    ...(total === undefined ? {} : { range: { start: Number(start), end: Number(end), total: Number(total) } }),
    body: content.body as ReadableStream<Uint8Array>,
    blob: () => content.blob(),
    bytes: async () => new Uint8Array(await content.arrayBuffer()),
  };
}

/** Reads the content. @throws ProfileError if it breaks off */
async function* readBody({ body }: Response, signal: AbortSignal | undefined): AsyncGenerator<Uint8Array> {
  if (!body) return;
  try {
    yield* readChunks(body as ReadableStream<Uint8Array>);
  } catch (error) {
    throw connectionFailed(error, signal);
  }
}

/** Parses the file name of Content-Disposition (RFC 6266). The extended form (`filename*`) has precedence. */
function parseFilename(disposition: string): string {
  const extended = decode(/filename\*=UTF-8''([^;]+)/i.exec(disposition)?.[1]);
  if (extended !== undefined) return extended;
  const [, quoted, token] = /filename=(?:"((?:[^"\\]|\\.)*)"|([^;]+))/i.exec(disposition) ?? [];
  return quoted?.replaceAll(/\\(.)/g, '$1') ?? token ?? 'file';
}

/** Decodes percent-encoded UTF-8. Returns undefined if it is invalid. */
function decode(encoded: string | undefined): string | undefined {
  try {
    return encoded && decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}
