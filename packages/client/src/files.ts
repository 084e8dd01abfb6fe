import type { Contract } from '@profile-service/contracts';

type TypesOf<Row extends keyof Contract['attachments']> = NonNullable<Contract['attachments'][Row]['types']>;

export type Attachment = TypesOf<'create'>['output'];

/** A File or a Blob, or in Node also a stream, such as `createReadStream` gives. */
export type UploadSource = Blob | (AsyncIterable<Uint8Array> & { readonly path?: string | Uint8Array });

export interface UploadFields extends Partial<TypesOf<'create'>['sent']> {
  /** That of the File, or the last part of the stream's path, unless told. */
  filename?: string;
  /** That of the Blob, or what the file name's extension says, unless told. */
  contentType?: string;
}

export interface Progress {
  /** Bytes so far. */
  loaded: number;
  /** Absent where nobody knows it, as of a stream. */
  total?: number;
}

export interface TransferOptions {
  onProgress?: (progress: Progress) => void;
  signal?: AbortSignal;
}

export interface DownloadOptions extends TransferOptions {
  /** Bytes from `start` to `end`, both included; to the end of the file without it. */
  range?: { start: number; end?: number };
}

export interface DownloadedFile {
  filename: string;
  contentType: string;
  /** Bytes of `body`. */
  size: number;
  etag: string;
  /** Where only a range was asked for: which bytes of how many. */
  range?: { start: number; end: number; total: number };
  /** The bytes as they come; to be read once, by this, `blob` or `bytes`. */
  body: ReadableStream<Uint8Array>;
  blob(): Promise<Blob>;
  bytes(): Promise<Uint8Array>;
}
