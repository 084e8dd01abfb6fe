import type { Readable } from 'node:stream';
import type { ByteRange } from '../integrations/storage/storage.ts';
import type { Services } from './implement.ts';

/** The file of an upload as it comes in. */
export interface IncomingFile {
  /** Empty where it came without. */
  filename: string;
  /** As declared, in lower case and without parameters. */
  contentType: string;
  /** Fields of the form that came before it; the others follow. */
  fields: Readonly<Record<string, string>>;
  /** Throws a ProblemError where the file is too large or breaks off. */
  content: AsyncIterable<Uint8Array>;
}

/** A file that lies in the storage while what belongs to it is still being decided. */
export interface StagedFile {
  filename: string;
  contentType: string;
  /** In bytes. */
  size: number;
  /** Puts it where files of this kind lie; gives the key. Throws FailedToUploadFileError. */
  place(entityType: string): Promise<string>;
  /** From here on its record decides, also where nobody learns whether it was committed: the file is not removed any more. */
  keep(): void;
  /** Removes the file, unless it is kept. Never throws: what cannot be removed is left to the janitor. */
  discard(): Promise<void>;
}

/** Takes the file of an upload in, before the rest of the request is known. */
export type Receive = (file: IncomingFile, services: Services) => Promise<StagedFile>;

/** Takes in the file of one request. */
export type Take = (file: IncomingFile) => Promise<StagedFile>;

/** That of rows that are no upload. */
export const noFile: Take = () => Promise.reject(new Error('This row takes no file'));

/** A file that a row gives. */
export interface Download {
  filename: string;
  contentType: string;
  /** In bytes. */
  size: number;
  /** Without quotes. Another content has another one. */
  etag: string;
  /** Opens the content, or a range of it. Throws the row's problem. */
  open(range?: ByteRange): Promise<Readable>;
}

/** Does the work with a way to take files in. Where it fails, what was taken in is removed at once: the upload either happened or did not. */
export async function withFiles<T>(receive: Receive | undefined, services: Services, work: (take: Take) => Promise<T>): Promise<T> {
  const staged: StagedFile[] = [];
  const take: Take = async (incoming) => {
    if (!receive) throw new Error('The handler of this row takes no file');
    const file = await receive(incoming, services);
    staged.push(file);
    return file;
  };
  try {
    return await work(take);
  } catch (error) {
    for (const file of staged) await file.discard();
    throw error;
  }
}
