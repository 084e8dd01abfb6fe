import type { Readable } from 'node:stream';
import type { ByteRange } from '@profile-service/storage';

export type { ByteRange };

/** A file that is being uploaded. */
export interface IncomingFile {
  /** The file name in the form; empty if there is none. */
  filename: string;
  /** The declared media type, in lower case and without parameters. */
  contentType: string;
  /** The form fields that arrived before the file. More may follow it. */
  fields: Readonly<Record<string, string>>;
  /** Throws a ProblemError when the file is too large or the connection is closed. */
  content: AsyncIterable<Uint8Array>;
  /** Aborted when the client disconnects before it has its response. */
  signal?: AbortSignal | undefined;
}

/** A stored file without a record. */
export interface StagedFile {
  filename: string;
  contentType: string;
  /** In bytes. */
  size: number;
  /** Moves the file to the key prefix of the entity type. Throws FailedToUploadFileError. @returns the key */
  place(entityType: string): Promise<string>;
  /** Makes `discard` do nothing. Call it before the record is committed: after a commit with an unknown outcome, the record may exist and need the file. */
  keep(): void;
  /** Deletes the file, except after `keep`. Never throws: the storage clean-up deletes the file if this fails. */
  discard(): Promise<void>;
}

/** Stores the file of an upload. The rest of the form may still be arriving. */
export type ReceiveFile = (file: IncomingFile) => Promise<StagedFile>;

/** The file that a download sends. */
export interface Download {
  filename: string;
  contentType: string;
  /** In bytes. */
  size: number;
  /** Entity tag of the attachment's version. */
  etag: string;
  /** Opens the content, or a range of it. Throws a problem that the endpoint declares. */
  open(range?: ByteRange): Promise<Readable>;
}

/** Stores, reads and deletes the files of imports. */
export interface ImportFiles {
  /** Stores an incoming file, whose header was checked. Throws INVALID_IMPORT_FILE, PAYLOAD_TOO_LARGE, FailedToUploadFileError, or the error of its content. */
  receive(file: IncomingFile): Promise<StagedFile>;
  /** Opens a file. Throws FailedToDownloadFileError. */
  open(filePath: string): Promise<Readable>;
  /** Whether the storage has the file. */
  has(filePath: string): Promise<boolean>;
  /** Deletes a file. */
  remove(filePath: string): Promise<void>;
  /** Deletes files that are older than an hour and have no import. @param findUnknown returns those of the keys that have none */
  removeUnknown(findUnknown: (keys: string[]) => Promise<string[]>): Promise<void>;
}

/** What the headers of a file say that is sent while it is made. */
export interface FileHead {
  filename: string;
  contentType: string;
}

/** The open response of such a file. */
export interface FileSink {
  /** Sends a part. Resolves when the client has received most of what was sent. Throws if it has not within `waitMs`, or has disconnected. */
  send(text: string, waitMs: number): Promise<void>;
  /** Ends the file. Without it, the client sees that the file is incomplete. */
  end(): void;
}

/** The columns of an attachment that describe its file. */
export interface FileRecord {
  id: string;
  filePath: string;
  originalFilename: string;
  contentType: string;
  size: number;
}

/** A file with the version of its record. */
export interface VersionedFile extends FileRecord {
  version: number;
}

/** Stores, reads and deletes the files of attachments. */
export interface AttachmentFiles {
  /** Stores an incoming file. Throws InvalidAttachmentTypeError, FailedToUploadFileError, or the error of its content. It stores nothing then. */
  receive(file: IncomingFile): Promise<StagedFile>;
  /** Returns the file of a record. Its `open` throws FailedToDownloadFileError if the object is missing or has the wrong size. */
  download(record: VersionedFile): Download;
  /** Deletes a file that has no live record. Never throws: the storage clean-up deletes the file if this fails. */
  remove(filePath: string): Promise<void>;
}
