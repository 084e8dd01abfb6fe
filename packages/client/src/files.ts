import type { Attachment, AttachmentCreate } from './generated/models.ts';
import type { Versioned } from './procedure.ts';

/** The new attachment, with its version for `attachments.update` and `attachments.remove`. */
export interface UploadedAttachment extends Attachment, Versioned {}

/** A File or a Blob, such as that of `openAsBlob` in Node. In Node also a stream, such as that of `createReadStream`. */
export type UploadSource = Blob | (AsyncIterable<Uint8Array> & { readonly path?: string | Uint8Array });

export interface UploadFields extends AttachmentCreate {
  /** Default: the name of the File, or the last segment of the stream's path. */
  filename?: string | undefined;
  /** Default: the type of the Blob, or the type for the extension of the file name. */
  contentType?: string | undefined;
}

export interface Progress {
  /** Bytes of the file transferred so far. */
  loaded: number;
  /** Size of the file in bytes. Absent if unknown, as for the upload of a stream or a response without Content-Length. */
  total?: number;
}

export interface TransferOptions {
  /** Called after each part of the file. The last call of a successful transfer has all bytes. */
  onProgress?: ((progress: Progress) => void) | undefined;
  /** Aborts the transfer. */
  signal?: AbortSignal | undefined;
}

export interface UploadOptions extends TransferOptions {
  /** Visible ASCII characters, 1 to 255. Default: a new UUID for each upload of a Blob. */
  idempotencyKey?: string | undefined;
}

export interface DownloadOptions extends TransferOptions {
  /** Byte range, with both ends included. Without `end`, the range goes to the end of the file. */
  range?: { start: number; end?: number | undefined } | undefined;
}

/** A file of records. It is complete if its content ends without an error. */
export type ExportedFile = Pick<DownloadedFile, 'filename' | 'contentType' | 'body' | 'blob' | 'bytes'>;

export interface DownloadedFile {
  filename: string;
  contentType: string;
  /** Length of `body` in bytes. Absent if the response does not state it, as behind a proxy that compresses. */
  size?: number;
  etag: string;
  /** The returned range. Absent if the whole file was returned. */
  range?: { start: number; end: number; total: number };
  /** The content as a stream. It can be read once, by `body`, `blob` or `bytes`. */
  body: ReadableStream<Uint8Array>;
  blob(): Promise<Blob>;
  bytes(): Promise<Uint8Array>;
}
