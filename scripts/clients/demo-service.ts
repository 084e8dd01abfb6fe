import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePortPair } from '../../test/free-port.ts';
import { localStart } from '../../test/local-start.ts';

/** A running `npm start`. */
export interface DemoService {
  url: string;
  tokenUrl: string;
  /** Stops it and deletes its data. */
  stop(): Promise<void>;
}

/** Starts the service with embedded dependencies and demo data on free ports, as `npm start` does. */
export async function startDemoService(): Promise<DemoService> {
  const dataDir = await mkdtemp(join(tmpdir(), 'profile-service-clients-'));
  const deleteData = () => rm(dataDir, { recursive: true, force: true });
  const port = await freePortPair();
  const { child, ended } = await localStart({ PORT: String(port), DATA_DIR: dataDir }).catch(async (error: unknown) => {
    await deleteData();
    throw error;
  });
  return {
    url: `http://localhost:${port}`,
    tokenUrl: `http://localhost:${port + 1}/realms/profile/protocol/openid-connect/token`,
    async stop() {
      child.kill('SIGTERM');
      process.stderr.write((await ended).errors);
      await deleteData();
    },
  };
}
