import type { Connection } from './connection.ts';
import type { Attachment, TransferOptions, UploadedAttachment, UploadFields, UploadOptions, UploadSource } from './files.ts';
import { type Form, toForm, toFormData, toMultipart } from './form.ts';
import { toResponseError } from './problem.ts';
import { retry } from './retries.ts';
import { reportProgress, toStream } from './stream.ts';
import { browserRequestClass, sendByBrowser } from './upload-by-browser.ts';

/**
 * Uploads a file by `POST /api/attachments`.
 * @throws ProfileResponseError for an error response, and the error of `fetch` or XMLHttpRequest when there is no response
 */
export async function upload(
  connection: Connection,
  source: UploadSource,
  fields: UploadFields,
  options: UploadOptions,
): Promise<UploadedAttachment> {
  const form = toForm(source, fields);
  // A stream can be read only once, so its upload cannot be repeated.
  const maxAttempts = hasBlob(form) ? connection.maxAttempts : 1;
  const { idempotencyKey = maxAttempts > 1 ? crypto.randomUUID() : undefined, ...transfer } = options;
  return await retry(maxAttempts, options.signal, () => uploadOnce(connection, form, idempotencyKey, transfer));
}

async function uploadOnce(
  { url, headers }: Connection,
  form: Form,
  idempotencyKey: string | undefined,
  { onProgress, signal }: TransferOptions,
): Promise<UploadedAttachment> {
  const key = idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey };
  const target = { url: `${url}/api/attachments`, headers: { ...(await headers()), ...key }, signal };
  const BrowserRequest = browserRequestClass();
  // `fetch` does not report upload progress.
  if (onProgress && BrowserRequest && hasBlob(form)) return await sendByBrowser(new BrowserRequest(), target, toFormData(form), onProgress);

  const { body, ...encoding } = onProgress || !hasBlob(form) ? encodeAsStream(form, onProgress) : { body: toFormData(form) };
  const response = await fetch(target.url, {
    method: 'POST',
    headers: { ...target.headers, ...('contentType' in encoding ? { 'content-type': encoding.contentType } : {}) },
    body,
    ...(signal ? { signal } : {}),
    // Required when the body is a stream. The types of fetch lack it.
    ...({ duplex: 'half' } as object),
  });
  const header = (name: string) => response.headers.get(name);
  if (!response.ok) throw toResponseError(response.status, header, await response.text());
  return { ...((await response.json()) as Attachment), etag: header('etag') ?? '' };
}

const hasBlob = (form: Form): form is Form & { file: Blob } => form.file instanceof Blob;

/** Encodes the form as a stream that reports progress. */
function encodeAsStream(form: Form, onProgress: TransferOptions['onProgress']) {
  const { chunks, total, contentType } = toMultipart(form);
  const body = onProgress ? reportProgress(chunks, (loaded) => onProgress({ loaded, ...(total === undefined ? {} : { total }) })) : chunks;
  return { body: toStream(body), contentType };
}
