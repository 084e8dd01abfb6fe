import type { Connection } from './connection.ts';
import { download } from './download.ts';
import type { Attachment, DownloadedFile, DownloadOptions, TransferOptions, UploadFields, UploadSource } from './files.ts';
import { upload } from './upload.ts';

/** The file content of attachments, which goes over REST. Both throw a `ProfileResponseError` when the service responds with an error. */
export interface FileTransfers {
  /** Uploads a file as a stream. Progress counts the bytes sent; browsers report it through XMLHttpRequest. */
  upload(file: UploadSource, fields?: UploadFields, options?: TransferOptions): Promise<Attachment>;
  /** Resolves when the response headers have arrived. The content is streamed. */
  download(id: string, options?: DownloadOptions): Promise<DownloadedFile>;
}

export const fileTransfers = (connection: Connection): FileTransfers => ({
  upload: (file, fields = {}, options = {}) => upload(connection, file, fields, options),
  download: (id, options = {}) => download(connection, id, options),
});
