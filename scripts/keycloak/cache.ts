import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** The folder of the cache: KEYCLOAK_CACHE, default ~/.cache/profile-service. */
export const cacheFolder = (): string => resolve(process.env['KEYCLOAK_CACHE'] || join(homedir(), '.cache', 'profile-service'));

/**
 * Returns a folder of the cache, and creates it the first time.
 * @param create fills an empty folder, which becomes the cached one only if it succeeds
 */
export async function cached(name: string, create: (folder: string) => Promise<void>): Promise<string> {
  const cache = cacheFolder();
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
