import { constants, copyFile, open, stat, unlink } from 'node:fs/promises';
import type { Storage } from '../storage.ts';
import { writeAtomically } from './atomic-write.ts';
import { isMissing } from './errors.ts';
import { pathOf } from './keys.ts';
import { abortUploads, listObjects } from './listing.ts';
import { openFile } from './open-file.ts';
import { checkRoot, requireRoot } from './root.ts';

/** The group may read, for backups. Other users may not. */
const fileMode = 0o640;

/**
 * Creates a storage that stores each object in the file `<root>/<key>`. The folder must exist. Several instances may share it.
 * @param largestUpload size limit of an upload in bytes: `check` fails if less space is free
 */
export function createFolderStorage(root: string, largestUpload: number): Storage {
  /** Runs the work. If it fails because the whole folder is missing, throws an error that says so. */
  async function inRoot<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      await requireRoot(root);
      throw error;
    }
  }
  /** Runs the work and returns `fallback` if the file does not exist. */
  const orIfMissing = <T>(work: () => Promise<T>, fallback: T): Promise<T> =>
    inRoot(work).catch((error: unknown) => (isMissing(error) ? fallback : Promise.reject(error as Error)));

  return {
    check: () => checkRoot(root, largestUpload),

    put: (key, content) =>
      inRoot(() =>
        writeAtomically(root, key, async (temporary) => {
          const file = await open(temporary, 'wx', fileMode);
          try {
            await file.writeFile(content);
          } finally {
            await file.close();
          }
        }),
      ),

    open: (key, range) => inRoot(() => openFile(pathOf(root, key), range)),

    copy: (from, to) =>
      inRoot(() => writeAtomically(root, to, (temporary) => copyFile(pathOf(root, from), temporary, constants.COPYFILE_FICLONE))),

    // Not synced to disk: if a crash undoes it, the storage clean-up deletes the file again.
    remove: (key) => orIfMissing(() => unlink(pathOf(root, key)), undefined),
    has: (key) => orIfMissing(async () => (await stat(pathOf(root, key))).isFile(), false),
    list: (prefix, pageSize) => listObjects(root, prefix, pageSize),
    abortUploads: (prefix, before) => inRoot(() => abortUploads(root, prefix, before)),
    close: () => undefined,
  };
}
