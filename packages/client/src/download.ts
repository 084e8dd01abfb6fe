import type { Connection } from './connection.ts';
import { connectionFailed, toProfileError } from './error-from.ts';
import type { DownloadedFile, DownloadOptions, ExportedFile, TransferOptions } from './files.ts';
import { fromResponse, receive } from './response.ts';
import { retry } from './retries.ts';

/** Downloads a file by `GET /api/attachments/{id}`. @throws ProfileError */
export const download = async (connection: Connection, id: string, options: DownloadOptions): Promise<DownloadedFile> =>
  fetchFile(connection, `/api/attachments/${encodeURIComponent(id)}`, options);

/** Exports records as a file. @param path of the operation, such as `/api/organizations/export` @throws ProfileError */
export async function exportRecords(connection: Connection, path: string, input: object, options: TransferOptions): Promise<ExportedFile> {
  const given = Object.entries(input).filter(([, value]) => value !== undefined);
  const query = new URLSearchParams(given.map(([field, value]): [string, string] => [field, String(value)]));
  return fetchFile(connection, `${path}?${query.toString()}`, options);
}

async function fetchFile(connection: Connection, path: string, { range, onProgress, signal }: DownloadOptions): Promise<DownloadedFile> {
  const { url, fetch, authorize } = connection;
  const target = url + path;
  const rangeHeader: Record<string, string> = range ? { range: `bytes=${range.start}-${range.end ?? ''}` } : {};
  const response = await retry({ connection, policy: 'repeatable', signal }, async (tenantId) => {
    const attempt = await authorize(tenantId, async (callerHeaders) => {
      const answered = await fetch(target, { headers: { ...callerHeaders, ...rangeHeader }, signal: signal ?? null });
      return answered.ok ? { status: answered.status, response: answered } : await receive(answered, signal);
    });
    if ('response' in attempt) return attempt.response;
    throw fromResponse(attempt);
  });
  const header = (name: string) => response.headers.get(name) ?? '';
  // `Number('')` is 0.
  const size = response.headers.has('content-length') ? Number(header('content-length')) : undefined;
  let stream: ReadableStream<Uint8Array> | undefined;
  const openBody = () => (stream ??= readBody(response, { total: size, onProgress, signal }));
  /** Reads the whole content. Without progress, reads the response itself: Chromium shows a response that is read by chunks as cancelled. */
  async function readAll<T>(read: (content: Response) => Promise<T>): Promise<T> {
    if (stream || onProgress)
      return await read(new Response(openBody() as ResponseBody, { headers: { 'content-type': header('content-type') } }));
    const isUsed = response.bodyUsed;
    return await read(response).catch((error: unknown) => {
      throw isUsed ? error : connectionFailed(error, signal);
    });
  }
  const [, start, end, total] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(header('content-range')) ?? [];
  return {
    filename: parseFilename(header('content-disposition')),
    contentType: header('content-type'),
    ...(size === undefined ? {} : { size }),
    etag: header('etag'),
    ...(total === undefined ? {} : { range: { start: Number(start), end: Number(end), total: Number(total) } }),
    get body() {
      return openBody();
    },
    blob: () => readAll((content) => content.blob()),
    bytes: () => readAll(async (content) => new Uint8Array(await content.arrayBuffer())),
  };
}

type ResponseBody = ConstructorParameters<typeof Response>[0];

/** Passes the content on as it is read, and reports its progress. The stream fails with a ProfileError if the content breaks off or `onProgress` throws. */
function readBody(
  { body, bodyUsed }: Response,
  { total, onProgress, signal }: Pick<DownloadOptions, 'onProgress' | 'signal'> & { total: number | undefined },
): ReadableStream<Uint8Array> {
  const source = (body ?? new Blob([]).stream()) as ReadableStream<Uint8Array>;
  // `blob` or `bytes` has read it.
  if (bodyUsed) return source;
  const reader = source.getReader();
  let loaded = 0;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await reader.read().catch((error: unknown) => {
          throw connectionFailed(error, signal);
        });
        if (done) return controller.close();
        loaded += value.length;
        try {
          onProgress?.({ loaded, ...(total === undefined ? {} : { total }) });
        } catch (error) {
          await reader.cancel(error);
          throw toProfileError(error);
        }
        controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
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
