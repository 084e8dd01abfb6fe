import { constants, copyFile, open, stat, unlink } from 'node:fs/promises';
import type { Storage } from '../storage.ts';
import { writeAtomically } from './atomic-write.ts';
import { isMissing } from './errors.ts';
import { pathOf } from './keys.ts';
import { abortUploads, listObjects } from './listing.ts';
import { openFile } from './open-file.ts';
import { checkRoot, requireRoot } from './root.ts';

/** The group may read, for backups; others may not. */
const fileMode = 0o640;

/**
 * Keeps each object in a file of its own, `<root>/<key>`. The folder must exist; several instances may share it.
 * @param largestUpload the free space that a healthy folder has, in bytes
 */
export function createFolderStorage(root: string, largestUpload: number): Storage {
  /** Where the whole folder is missing, the error says so, and no object counts as missing. */
  async function inRoot<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      await requireRoot(root);
      throw error;
    }
  }
  /** As work that fails where there is no such file, with a result for that case. */
  const unlessMissing = <T>(work: () => Promise<T>, otherwise: T): Promise<T> =>
    inRoot(work).catch((error: unknown) => (isMissing(error) ? otherwise : Promise.reject(error as Error)));

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

    // A removal that a crash undoes is made again by the storage clean-up, so it is not synced.
    remove: (key) => unlessMissing(() => unlink(pathOf(root, key)), undefined),
    has: (key) => unlessMissing(async () => (await stat(pathOf(root, key))).isFile(), false),
    list: (prefix, pageSize) => listObjects(root, prefix, pageSize),
    abortUploads: (prefix, before) => inRoot(() => abortUploads(root, prefix, before)),
    close: () => undefined,
  };
}
