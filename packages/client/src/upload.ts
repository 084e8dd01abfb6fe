import type { Connection, TenantId } from './connection.ts';
import type { Attachment } from './generated/models.ts';
import type { TransferOptions, UploadedAttachment, UploadFields, UploadOptions, UploadSource } from './files.ts';
import { type Form, type Multipart, toForm, toMultipart } from './form.ts';
import { fromResponse, parseJson, receive } from './response.ts';
import { retry } from './retries.ts';
import { readChunks, reportProgress, toStream } from './stream.ts';
import { browserRequestClass, sendByBrowser } from './upload-by-browser.ts';
import { randomUuid } from './uuid.ts';

/** Uploads a file by `POST /api/attachments`. @throws ProfileError */
export async function upload(
  connection: Connection,
  source: UploadSource,
  fields: UploadFields,
  options: UploadOptions,
): Promise<UploadedAttachment> {
  const form = toForm(source, fields);
  // A stream can be read only once, so its upload cannot be repeated.
  const maxAttempts = form.file instanceof Blob ? connection.maxAttempts : 1;
  const { idempotencyKey = maxAttempts > 1 ? randomUuid() : undefined, ...transfer } = options;
  const key: Record<string, string> = idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey };
  const retried = { connection: { ...connection, maxAttempts }, policy: 'repeatable', signal: transfer.signal } as const;
  return await retry(retried, (tenantId) => uploadOnce(connection, tenantId, form, key, transfer));
}

async function uploadOnce(
  { url, fetch, authorize }: Connection,
  tenantId: TenantId,
  form: Form,
  key: Record<string, string>,
  { onProgress, signal }: TransferOptions,
): Promise<UploadedAttachment> {
  const { file } = form;
  const target = `${url}/api/attachments`;
  const isBlob = file instanceof Blob;
  const BrowserRequest = browserRequestClass();
  const response = await authorize(
    tenantId,
    async (callerHeaders) => {
      const multipart = toMultipart(form);
      const headers = { ...callerHeaders, ...key, 'content-type': multipart.contentType };
      // `fetch` does not report upload progress.
      if (onProgress && BrowserRequest && isBlob)
        return await sendByBrowser(new BrowserRequest(), { url: target, headers, signal }, { file, multipart }, onProgress);
      const body = isBlob && !onProgress ? new Blob([multipart.head, file, multipart.tail]) : toStream(encode(file, multipart, onProgress));
      // A body that is a stream requires `duplex`.
      const init = { method: 'POST', headers, body, signal: signal ?? null, duplex: 'half' } as const;
      return await receive(await fetch(target, init), signal);
    },
    isBlob,
  );
  if (response.status < 200 || response.status >= 300) throw fromResponse(response);
  return { ...(parseJson(response) as Attachment), etag: response.headers.get('etag') ?? '' };
}

/** Encodes the form as chunks that report progress when they are read. */
async function* encode(
  file: UploadSource,
  { head, tail }: Multipart,
  onProgress: TransferOptions['onProgress'],
): AsyncGenerator<Uint8Array> {
  yield head;
  const chunks = file instanceof Blob ? readChunks(file.stream()) : file;
  const total = file instanceof Blob ? { total: file.size } : {};
  yield* onProgress ? reportProgress(chunks, (loaded) => onProgress({ loaded, ...total })) : chunks;
  yield tail;
}
