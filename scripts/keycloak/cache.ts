import { cachedFolder } from '../cached-folder.ts';

/** Returns a folder of the cache of Keycloak, and creates it the first time. KEYCLOAK_CACHE names the cache. */
export const cached = (name: string, create: (folder: string) => Promise<void>): Promise<string> =>
  cachedFolder(name, create, process.env['KEYCLOAK_CACHE']);
