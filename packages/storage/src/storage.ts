import type { Readable } from 'node:stream';

/** A range of bytes: the positions of its first and last byte. */
export interface ByteRange {
  start: number;
  end: number;
}

export interface StoredObject {
  key: string;
  modifiedAt: Date;
}

export interface CopyOptions {
  /** Size of the object in bytes. */
  size: number;
  /** Ends the copy early: `copy` rejects with its reason, if the storage can still stop. */
  signal?: AbortSignal | undefined;
}

/** An object storage: a bucket of S3 or a folder. It throws the original errors of S3 or the file system. */
export interface Storage {
  /** Throws if the storage is unavailable. The message says why. */
  check(): Promise<void>;
  /**
   * Stores the content under the key while it arrives. Memory does not grow with the content. The object becomes visible when it is complete.
   * @throws the error of the content or of the storage. There is no object then, unless the storage failed after it had stored the last byte.
   */
  put(key: string, content: AsyncIterable<Uint8Array>, contentType: string): Promise<void>;
  /** Opens the object or a range of it. The caller must read the stream to its end or destroy it. @returns the stream and its size in bytes */
  open(key: string, range?: ByteRange): Promise<{ content: Readable; size: number }>;
  /** Copies the object. The time limit grows with its size. */
  copy(from: string, to: string, options: CopyOptions): Promise<void>;
  /** Deletes the object. Does nothing if it does not exist. */
  remove(key: string): Promise<void>;
  has(key: string): Promise<boolean>;
  /** Lists all objects whose keys begin with the prefix, in byte order of the keys, in pages of at most `pageSize` (at most 1000). */
  list(prefix: string, pageSize: number): AsyncIterable<StoredObject[]>;
  /** Deletes the incomplete uploads under the prefix that began before the date. @returns their number */
  abortUploads(prefix: string, before: Date): Promise<number>;
  close(): void;
}
