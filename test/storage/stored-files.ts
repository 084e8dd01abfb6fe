import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';

/** A storage folder, read and changed without the service. */
export interface StoredFiles {
  /** Keys of the objects. */
  keys(): Promise<string[]>;
  /** Keys of uploads that have begun and are not complete. */
  openUploads(): Promise<string[]>;
  put(key: string, content?: string): Promise<void>;
  remove(key: string): Promise<void>;
  /** Creates the temporary file that a crash during an upload leaves. */
  leaveUpload(key: string): Promise<void>;
}

const temporary = /^(.*\/)?\.([^/]+)\.[\da-f-]{36}$/;

/** Gives access to a storage folder without the service. */
export function storedFiles(folder: string): StoredFiles {
  const files = async () => {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => relative(folder, join(parentPath, name)))
      .toSorted();
  };
  const write = async (key: string, content: string) => {
    const path = join(folder, key);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
  };
  return {
    keys: async () => (await files()).filter((path) => !temporary.test(path)),
    openUploads: async () => (await files()).filter((path) => temporary.test(path)).map((path) => path.replace(temporary, '$1$2')),
    put: (key, content = '%PDF-') => write(key, content),
    remove: (key) => rm(join(folder, key)),
    leaveUpload: (key) => write(join(dirname(key), `.${key.split('/').at(-1)}.01936f2a-7c1e-7b44-9d5e-0a1b2c3d4e5f`), '%PDF-'),
  };
}
