import type { Connection, TenantId } from './connection.ts';
import type { ProfileError } from './error.ts';
import { toProfileError } from './error-from.ts';
import type { TransferOptions, UploadOptions, UploadSource } from './files.ts';
import { type Form, type FormFields, type Multipart, toForm, toMultipart } from './form.ts';
import { fromResponse, type ReceivedResponse, receive } from './response.ts';
import { retry } from './retries.ts';
import { openSource, readChunks, reportProgress, toStream } from './stream.ts';
import { browserRequestClass, sendByBrowser } from './upload-by-browser.ts';
import { randomUuid } from './uuid.ts';

/** Uploads a file by a POST. Ends a stream that it could not upload. @param path such as `/api/attachments` @throws ProfileError */
export async function upload(
  connection: Connection,
  path: string,
  { file, fields }: { file: UploadSource; fields: FormFields },
  options: UploadOptions,
): Promise<ReceivedResponse> {
  if (file instanceof Blob) return await send(connection, path, toForm(file, fields), options);
  const { chunks, end } = openSource(file);
  try {
    // A stream can be read only once, so its upload cannot be repeated.
    return await send({ ...connection, maxAttempts: 1 }, path, { ...toForm(file, fields), file: chunks }, options);
  } catch (error) {
    end().catch(() => undefined);
    throw error;
  }
}

async function send(
  connection: Connection,
  path: string,
  form: Form,
  { idempotencyKey = connection.maxAttempts > 1 ? randomUuid() : undefined, ...transfer }: UploadOptions,
): Promise<ReceivedResponse> {
  const key: Record<string, string> = idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey };
  return await retry({ connection, policy: 'repeatable', signal: transfer.signal }, (tenantId) =>
    sendOnce(connection, tenantId, { path, form, key }, transfer),
  );
}

async function sendOnce(
  { url, fetch, authorize }: Connection,
  tenantId: TenantId,
  { path, form, key }: { path: string; form: Form; key: Record<string, string> },
  { onProgress, signal }: TransferOptions,
): Promise<ReceivedResponse> {
  const { file } = form;
  const target = url + path;
  const isBlob = file instanceof Blob;
  const BrowserRequest = browserRequestClass();
  const attempt = async (callerHeaders: Record<string, string>) => {
    const multipart = toMultipart(form);
    const headers = { ...callerHeaders, ...key, 'content-type': multipart.contentType };
    // `fetch` does not report upload progress.
    if (onProgress && BrowserRequest && isBlob)
      return await sendByBrowser(new BrowserRequest(), { url: target, headers, signal }, { file, multipart }, onProgress);
    let failure: ProfileError | undefined;
    const chunks = encode(file, multipart, onProgress, (error) => (failure = error));
    const body = isBlob && !onProgress ? new Blob([multipart.head, file, multipart.tail]) : toStream(chunks);
    // A body that is a stream requires `duplex`.
    const init = { method: 'POST', headers, body, signal: signal ?? null, duplex: 'half' } as const;
    try {
      return await receive(await fetch(target, init), signal);
    } catch (error) {
      // `fetch` reports a body that fails as a failure of the network.
      throw failure ?? error;
    }
  };
  const response = await authorize(tenantId, attempt, isBlob);
  if (response.status < 200 || response.status >= 300) throw fromResponse(response);
  return response;
}

/** Encodes the form as chunks that report progress when they are read. @param onFailure called if the file or `onProgress` fails */
async function* encode(
  file: UploadSource,
  { head, tail }: Multipart,
  onProgress: TransferOptions['onProgress'],
  onFailure: (error: ProfileError) => void,
): AsyncGenerator<Uint8Array> {
  yield head;
  const chunks = file instanceof Blob ? readChunks(file.stream()) : file;
  const total = file instanceof Blob ? { total: file.size } : {};
  try {
    yield* onProgress ? reportProgress(chunks, (loaded) => onProgress({ loaded, ...total })) : chunks;
  } catch (error) {
    onFailure(toProfileError(error));
    throw error;
  }
  yield tail;
}
