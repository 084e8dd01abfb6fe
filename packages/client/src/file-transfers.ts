import type { Connection } from './connection.ts';
import { download } from './download.ts';
import type { DownloadedFile, DownloadOptions, UploadedAttachment, UploadFields, UploadOptions, UploadSource } from './files.ts';
import type { AttachmentsCreateErrorCode, AttachmentsGetErrorCode } from './generated/procedures.ts';
import type { Attachment } from './generated/models.ts';
import { toProfileError } from './error-from.ts';
import { parseJson } from './response.ts';
import { type Result, toResult } from './result.ts';
import { upload } from './upload.ts';

export interface Upload {
  /**
   * Uploads a file as a stream. The upload of a Blob is repeated after a temporary failure, and its progress starts again. A stream can be read only once, so
   * its upload is not repeated.
   * @throws ProfileError
   */
  (file: UploadSource, fields?: UploadFields, options?: UploadOptions): Promise<UploadedAttachment>;
  /** Uploads a file. Resolves with `{ ok: true, data }` or `{ ok: false, error }`, and never rejects. */
  safe(file: UploadSource, fields?: UploadFields, options?: UploadOptions): Promise<Result<UploadedAttachment, AttachmentsCreateErrorCode>>;
}

export interface Download {
  /**
   * Downloads a file. Resolves when the response headers have arrived; the content is streamed. Repeated after a temporary failure until then.
   * @throws ProfileError
   */
  (id: string, options?: DownloadOptions): Promise<DownloadedFile>;
  /** Downloads a file. Resolves with `{ ok: true, data }` or `{ ok: false, error }`, and never rejects. Reading the content may still throw a ProfileError. */
  safe(id: string, options?: DownloadOptions): Promise<Result<DownloadedFile, AttachmentsGetErrorCode>>;
}

/** Transfers files over REST, since tRPC procedures carry JSON only. */
export interface FileTransfers {
  upload: Upload;
  download: Download;
}

/** Creates the file methods of a client. */
export function fileTransfers(connection: Connection): FileTransfers {
  const send = async (file: UploadSource, fields: UploadFields = {}, options: UploadOptions = {}): Promise<UploadedAttachment> => {
    const response = await upload(connection, '/api/attachments', { file, fields: { ...fields } }, options).catch(throwProfileError);
    return { ...(parseJson(response) as Attachment), etag: response.headers.get('etag') ?? '' };
  };
  const fetch = (id: string, options: DownloadOptions = {}) => download(connection, id, options).catch(throwProfileError);
  return {
    upload: Object.assign(send, {
      safe: (...args: Parameters<Upload>) => toResult<UploadedAttachment, AttachmentsCreateErrorCode>(send(...args)),
    }),
    download: Object.assign(fetch, {
      safe: (...args: Parameters<Download>) => toResult<DownloadedFile, AttachmentsGetErrorCode>(fetch(...args)),
    }),
  };
}

function throwProfileError(thrown: unknown): never {
  throw toProfileError(thrown);
}
