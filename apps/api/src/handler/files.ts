import type { Readable } from 'node:stream';

/** The file of an upload while it arrives. */
export interface IncomingFile {
  /** Empty when the form names none. */
  filename: string;
  /** As declared, in lower case and without parameters. */
  contentType: string;
  /** The form fields that came before the file. The others follow. */
  fields: Readonly<Record<string, string>>;
  /** Throws a ProblemError when the file is too large or breaks off. */
  content: AsyncIterable<Uint8Array>;
}

/** A file that lies in the storage and has no record yet. */
export interface StagedFile {
  filename: string;
  contentType: string;
  /** In bytes. */
  size: number;
  /** Moves the file to where files of this entity type lie, and returns its key. Throws FailedToUploadFileError. */
  place(entityType: string): Promise<string>;
  /** Call it before the record is committed. From then on the record decides, even if the outcome of the commit is unknown: `discard` does nothing. */
  keep(): void;
  /** Removes the file unless it is kept. Never throws: the storage clean-up removes what is left. */
  discard(): Promise<void>;
}

/** Stores the file of an upload, before the rest of the request is known. */
export type ReceiveFile = (file: IncomingFile) => Promise<StagedFile>;

/** Positions of the first and the last byte. */
export interface ByteRange {
  start: number;
  end: number;
}

/** The file that a download returns. */
export interface Download {
  filename: string;
  contentType: string;
  /** In bytes. */
  size: number;
  /** Without quotes. Different content has a different tag. */
  etag: string;
  /** Opens the content, or a range of it. Throws a problem that the endpoint declares. */
  open(range?: ByteRange): Promise<Readable>;
}

/** What a record knows of its file. */
export interface FileRecord {
  id: string;
  filePath: string;
  originalFilename: string;
  contentType: string;
  size: number;
}

/** The files of attachments. */
export interface AttachmentFiles {
  /** Stores an incoming file. Throws InvalidAttachmentTypeError, FailedToUploadFileError, or what its content throws; then nothing is kept. */
  receive(file: IncomingFile): Promise<StagedFile>;
  /** The file of a record. Opening it throws FailedToDownloadFileError when the storage returns no object, or one of another size. */
  download(record: FileRecord): Download;
  /** Removes a file that has no live record. Never throws: the storage clean-up removes what is left. */
  remove(filePath: string): Promise<void>;
}
