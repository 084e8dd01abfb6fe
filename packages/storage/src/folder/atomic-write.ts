import { randomUUID } from 'node:crypto';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pathOf } from './keys.ts';

/** The group may read, for backups. Other users may not. */
const folderMode = 0o750;

const temporaryName = /^\.(.+)\.[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/** The last segment of the key of the object that a temporary file was written for; undefined for other files. */
export const objectNameOf = (temporary: string): string | undefined => temporaryName.exec(temporary)?.[1];

/**
 * Writes an object atomically: other processes never see an incomplete file, even after a crash. It writes a temporary file in the same folder, syncs it to
 * disk and renames it.
 * @param fill creates the temporary file
 */
export async function writeAtomically(root: string, key: string, fill: (temporary: string) => Promise<void>): Promise<void> {
  const target = pathOf(root, key);
  const folder = dirname(target);
  const temporary = join(folder, `.${basename(target)}.${randomUUID()}`);
  await makeFolders(root, key.split('/').slice(0, -1));
  try {
    await fill(temporary);
    await sync(temporary);
    await rename(temporary, target);
  } catch (error) {
    // If this fails, the storage clean-up deletes the file later.
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
  await sync(folder);
}

/** Creates the folders one by one, but never the root: if its volume is not mounted, files must not go to another disk. */
async function makeFolders(root: string, names: string[]): Promise<void> {
  let folder = root;
  for (const name of names) {
    const parent = folder;
    folder = join(parent, name);
    const isNew = await mkdir(folder, { mode: folderMode }).then(
      () => true,
      (error: NodeJS.ErrnoException) => (error.code === 'EEXIST' ? false : Promise.reject(error)),
    );
    if (isNew) await sync(parent);
  }
}

/** Syncs a file or folder to disk. */
async function sync(path: string): Promise<void> {
  // Windows syncs neither folders nor files that are open for reading.
  if (process.platform === 'win32') return;
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
