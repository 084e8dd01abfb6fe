import { access, constants, stat, statfs } from 'node:fs/promises';

const toMib = (bytes: number) => Math.floor(bytes / 1024 ** 2);

/** Throws if the storage folder does not exist, for example because its volume is not mounted. */
export async function requireRoot(root: string): Promise<void> {
  const found = await stat(root).catch((error: unknown) => {
    throw new Error(`The storage folder ${root} cannot be reached: ${(error as Error).message}`, { cause: error });
  });
  if (!found.isDirectory()) throw new Error(`The storage folder ${root} is not a folder`);
}

/** Throws unless the folder is writable and has enough free space for the largest upload. */
export async function checkRoot(root: string, largestUpload: number): Promise<void> {
  await requireRoot(root);
  await access(root, constants.R_OK | constants.W_OK | constants.X_OK);
  const { blocks, bavail, bsize } = await statfs(root);
  const free = bavail * bsize;
  // Some network file systems report no sizes.
  if (blocks > 0 && free < largestUpload) {
    throw new Error(`The storage folder ${root} has ${toMib(free)} MiB left, and an upload may have ${toMib(largestUpload)} MiB`);
  }
}
