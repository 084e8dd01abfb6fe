import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { fastFolder } from '../../../../test/fast-folder.ts';
import { freePortPair } from '../../../../test/free-port.ts';
import { localStart, type LocalStart } from '../../../../test/local-start.ts';

/** The `npm start` of some tests. Its values are set while they run. */
export interface UsedLocalStart extends LocalStart {
  /** Folder that is deleted after the tests. Its subfolder `data` has the data. */
  folder: string;
  /** Port of the service. The identity provider is on the next one. */
  port: number;
  /** URL of the service. */
  url: string;
  /** URL of the identity provider. */
  identityUrl: string;
}

/** Runs `npm start` with new demo data for the tests of a file or of a `describe`. */
export function useLocalStart(): UsedLocalStart {
  const used = {} as UsedLocalStart;
  beforeAll(async () => {
    used.folder = await mkdtemp(join(await fastFolder(), 'profile-start-'));
    used.port = await freePortPair();
    used.url = `http://localhost:${used.port}`;
    used.identityUrl = `http://localhost:${used.port + 1}`;
    Object.assign(used, await localStart({ DATA_DIR: join(used.folder, 'data'), PORT: String(used.port) }));
  });
  afterAll(async () => {
    used.child?.kill('SIGINT');
    await used.ended;
    await rm(used.folder, { recursive: true });
  });
  return used;
}
