import type { Connection } from './connection.ts';
import type { Attachment, TransferOptions, UploadFields, UploadSource } from './files.ts';
import { type Form, formData, formOf, multipart } from './form.ts';
import { errorOf } from './problem.ts';
import { counted, streamOf } from './stream.ts';
import { browserRequest, sendByBrowser } from './upload-by-browser.ts';

/** `POST /api/attachments`. Throws a ProfileResponseError, or what the platform throws where there is no answer. */
export async function upload(
  { url, headers }: Connection,
  source: UploadSource,
  uploadFields: UploadFields,
  { onProgress, signal }: TransferOptions,
): Promise<Attachment> {
  const form = formOf(source, uploadFields);
  const target = { url: `${url}/api/attachments`, headers: await headers(), signal };
  const BrowserRequest = browserRequest();
  // fetch does not tell how much of a body has left.
  if (onProgress && BrowserRequest && isOfBlob(form)) return await sendByBrowser(new BrowserRequest(), target, formData(form), onProgress);

  const { body, ...head } = onProgress || !isOfBlob(form) ? streamed(form, onProgress) : { body: formData(form) };
  const response = await fetch(target.url, {
    method: 'POST',
    headers: { ...target.headers, ...('contentType' in head ? { 'content-type': head.contentType } : {}) },
    body,
    ...(signal ? { signal } : {}),
    // A stream is sent before the answer is read.
    ...({ duplex: 'half' } as object),
  });
  if (!response.ok) throw errorOf(response.status, response.headers.get('content-type'), await response.text());
  return (await response.json()) as Attachment;
}

const isOfBlob = (form: Form): form is Form & { file: Blob } => form.file instanceof Blob;

function streamed(form: Form, onProgress: TransferOptions['onProgress']) {
  const { chunks, total, contentType } = multipart(form);
  const told = onProgress ? counted(chunks, (loaded) => onProgress({ loaded, ...(total === undefined ? {} : { total }) })) : chunks;
  return { body: streamOf(told), contentType };
}
