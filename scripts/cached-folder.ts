import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** ~/.cache/profile-service */
export const defaultCacheFolder = join(homedir(), '.cache', 'profile-service');

/**
 * Returns a folder of the cache, and creates it the first time. Several runs may do so at once.
 * @param create fills an empty folder, which becomes the cached one only if it succeeds
 */
export async function cachedFolder(
  name: string,
  create: (folder: string) => Promise<void>,
  cache: string = defaultCacheFolder,
): Promise<string> {
  const folder = join(cache, name);
  if (existsSync(folder)) return folder;
  await mkdir(cache, { recursive: true });
  const temporary = await mkdtemp(join(cache, `${name}.new-`));
  try {
    await create(temporary);
    // Another run may have created the folder meanwhile. Its content is the same.
    await rename(temporary, folder).catch((error: unknown) => existsSync(folder) || Promise.reject(error as Error));
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
  return folder;
}
