import type { Connection } from './connection.ts';
import type { Attachment, TransferOptions, UploadFields, UploadSource } from './files.ts';
import { type Form, toForm, toFormData, toMultipart } from './form.ts';
import { toResponseError } from './problem.ts';
import { reportProgress, toStream } from './stream.ts';
import { browserRequestClass, sendByBrowser } from './upload-by-browser.ts';

/**
 * Uploads a file by `POST /api/attachments`.
 * @throws ProfileResponseError for an error response, and the error of `fetch` or XMLHttpRequest when there is no response
 */
export async function upload(
  { url, headers }: Connection,
  source: UploadSource,
  uploadFields: UploadFields,
  { onProgress, signal }: TransferOptions,
): Promise<Attachment> {
  const form = toForm(source, uploadFields);
  const target = { url: `${url}/api/attachments`, headers: await headers(), signal };
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
  if (!response.ok) throw toResponseError(response.status, response.headers.get('content-type'), await response.text());
  return (await response.json()) as Attachment;
}

const hasBlob = (form: Form): form is Form & { file: Blob } => form.file instanceof Blob;

/** Encodes the form as a stream that reports progress. */
function encodeAsStream(form: Form, onProgress: TransferOptions['onProgress']) {
  const { chunks, total, contentType } = toMultipart(form);
  const body = onProgress ? reportProgress(chunks, (loaded) => onProgress({ loaded, ...(total === undefined ? {} : { total }) })) : chunks;
  return { body: toStream(body), contentType };
}
