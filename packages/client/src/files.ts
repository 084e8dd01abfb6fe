import type { Contract } from '@profile-service/contracts';

type TypesOf<Name extends keyof Contract['attachments']> = NonNullable<Contract['attachments'][Name]['types']>;

export type Attachment = TypesOf<'create'>['output'];

/** The new attachment, with its version for `attachments.update` and `attachments.remove`. */
export type UploadedAttachment = Attachment & { etag: string };

/** A File or a Blob. In Node also a stream, such as that of `createReadStream`. */
export type UploadSource = Blob | (AsyncIterable<Uint8Array> & { readonly path?: string | Uint8Array });

export interface UploadFields extends Partial<TypesOf<'create'>['sent']> {
  /** Default: the name of the File, or the last segment of the stream's path. */
  filename?: string;
  /** Default: the type of the Blob, or the type for the extension of the file name. */
  contentType?: string;
}

export interface Progress {
  /** Bytes transferred so far. */
  loaded: number;
  /** Total bytes. Absent if unknown, as for the upload of a stream. */
  total?: number;
}

export interface TransferOptions {
  onProgress?: (progress: Progress) => void;
  signal?: AbortSignal;
}

export interface UploadOptions extends TransferOptions {
  /** Visible ASCII characters, 1 to 255. Default: a new UUID for each upload of a Blob. */
  idempotencyKey?: string;
}

export interface DownloadOptions extends TransferOptions {
  /** Byte range, with both ends included. Without `end`, the range goes to the end of the file. */
  range?: { start: number; end?: number };
}

export interface DownloadedFile {
  filename: string;
  contentType: string;
  /** Length of `body` in bytes. */
  size: number;
  etag: string;
  /** The returned range. Absent if the whole file was returned. */
  range?: { start: number; end: number; total: number };
  /** The content as a stream. It can be read once, by `body`, `blob` or `bytes`. */
  body: ReadableStream<Uint8Array>;
  blob(): Promise<Blob>;
  bytes(): Promise<Uint8Array>;
}
