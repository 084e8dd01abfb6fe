import type { Connection } from './connection.ts';
import { download } from './download.ts';
import type { DownloadedFile, DownloadOptions, UploadedAttachment, UploadFields, UploadOptions, UploadSource } from './files.ts';
import { upload } from './upload.ts';

/** Transfers files over REST, since tRPC procedures carry JSON only. Both methods throw a ProfileResponseError for an error response. */
export interface FileTransfers {
  /**
   * Uploads a file as a stream. In browsers, progress is reported by XMLHttpRequest, since `fetch` cannot. The upload of a Blob is repeated after a temporary
   * failure, and its progress starts again. A stream can be read only once, so its upload is not repeated.
   */
  upload(file: UploadSource, fields?: UploadFields, options?: UploadOptions): Promise<UploadedAttachment>;
  /** Downloads a file. Resolves when the response headers have arrived; the content is streamed. Repeated after a temporary failure until then. */
  download(id: string, options?: DownloadOptions): Promise<DownloadedFile>;
}

export const fileTransfers = (connection: Connection): FileTransfers => ({
  upload: (file, fields = {}, options = {}) => upload(connection, file, fields, options),
  download: (id, options = {}) => download(connection, id, options),
});
