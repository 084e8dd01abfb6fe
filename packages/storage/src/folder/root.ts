import { access, constants, stat, statfs } from 'node:fs/promises';
import { StorageConfigurationError } from '../configuration-error.ts';

const toMib = (bytes: number) => Math.floor(bytes / 1024 ** 2);

/** Throws if the storage folder does not exist, for example because its volume is not mounted. */
export async function requireRoot(root: string): Promise<void> {
  const found = await stat(root).catch((error: unknown) => {
    throw new Error(`The storage folder ${root} cannot be reached: ${(error as Error).message}`, { cause: error });
  });
  if (!found.isDirectory()) throw new StorageConfigurationError('STORAGE_DIR is not a folder: correct the path.');
}

/** Throws unless the folder is writable and has enough free space for the largest upload. */
export async function checkRoot(root: string, largestUpload: number): Promise<void> {
  await requireRoot(root);
  await access(root, constants.R_OK | constants.W_OK | constants.X_OK);
  const { blocks, bavail, bsize } = await statfs(root);
  const free = bavail * bsize;
  // Some network file systems report no sizes.
  if (blocks > 0 && free < largestUpload) {
    // Do not name the free space: it changes all the time, and the log has one line for each different sentence.
    throw new StorageConfigurationError(
      `The folder STORAGE_DIR has less free space than the largest upload (${toMib(largestUpload)} MiB): free disk space, or lower ATTACHMENT_MAX_BYTES.`,
    );
  }
}
