import type { Readable } from 'node:stream';

/** Bytes from `start` to `end`, both included. */
export interface ByteRange {
  start: number;
  end: number;
}

export interface StoredObject {
  key: string;
  modifiedAt: Date;
}

/** The object storage: a bucket of S3 or a folder. Every failure is thrown as it came. */
export interface Storage {
  /** Throws when the storage cannot be used. The message says why. */
  check(): Promise<void>;
  /**
   * Stores the content under the key while it arrives. Memory does not grow with the content. The object appears when it is complete.
   * @throws the error of the content or of the storage. Then there is no object, unless the storage failed at the very end.
   */
  put(key: string, content: AsyncIterable<Uint8Array>, contentType: string): Promise<void>;
  /** Opens the object or a range of it. The caller must read the stream to its end or destroy it. */
  open(key: string, range?: ByteRange): Promise<{ content: Readable; size: number }>;
  copy(from: string, to: string): Promise<void>;
  /** Removes the object. A missing object is no failure. */
  remove(key: string): Promise<void>;
  has(key: string): Promise<boolean>;
  /** Lists all objects whose keys begin with the prefix, in byte order of the keys, in pages of at most `pageSize` (at most 1000). */
  list(prefix: string, pageSize: number): AsyncIterable<StoredObject[]>;
  /** Removes what is left of uploads under the prefix that began before then and never completed. @returns how many */
  abortUploads(prefix: string, before: Date): Promise<number>;
  close(): void;
}
