import { resolve } from 'node:path';
import { cachedFolder, defaultCacheFolder } from '../cached-folder.ts';

/** The folder of the cache: KEYCLOAK_CACHE, default ~/.cache/profile-service. */
const cacheFolder = (): string => resolve(process.env['KEYCLOAK_CACHE'] || defaultCacheFolder);

/** Returns a folder of the cache of Keycloak, and creates it the first time. */
export const cached = (name: string, create: (folder: string) => Promise<void>): Promise<string> =>
  cachedFolder(name, create, cacheFolder());
