import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { migrate } from '@profile-service/db';
import { startIdentityProvider, startStorage } from '@profile-service/local-stack';
import pg from 'pg';
import { fastFolder } from '../../../../test/fast-folder.ts';
import { startFastPostgres } from '../../../../test/fast-postgres.ts';
import { quickKey } from '../../../../test/quick-key.ts';
import { withoutLimits } from '../../../../test/without-limits.ts';
import { identitySettings, ownClientConfig, storageSettings } from '../../local/stand-in-settings.ts';
import { type MeasuredService, startMeasured } from './service.ts';
import { raiseWalls } from './policy.ts';
import { plantReaders, type Reader } from './world.ts';

export interface Stage {
  readers: readonly Reader[];
  service: MeasuredService;
  stop(): Promise<void>;
}

const own = { clientId: 'profile-service', secret: 'bench' };

/** A service on a database with readers and walls in it. @param connections that it has to the database at most */
export async function setStage(connections: number): Promise<Stage> {
  const postgres = await startFastPostgres('bench', { autovacuum: 'off' });
  await migrate(postgres.url);
  const identity = await startIdentityProvider({
    keys: [quickKey()],
    clients: [ownClientConfig(own)],
  });
  const files = await mkdtemp(join(await fastFolder(), 'profile-service-bench-files-'));
  const storage = await startStorage({ dataDir: files });
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  const readers = await plantReaders(client, identity);
  await raiseWalls(client);
  const environment = {
    PORT: '0',
    HOST: '127.0.0.1',
    // What is measured is the read, with its caller known.
    USER_CACHE_TTL_SECONDS: '86400',
    DATABASE_URL: postgres.url,
    DATABASE_POOL_MAX: String(connections),
    ...identitySettings(identity, own),
    ...storageSettings(storage),
    ...withoutLimits,
  };
  const backends = async () => {
    const { rows } = await client.query<{ pid: number }>("select pid from pg_stat_activity where application_name = 'profile-service'");
    return rows.map(({ pid }) => pid);
  };
  const service = await startMeasured(environment, backends);

  return {
    readers,
    service,
    async stop() {
      await service.stop();
      await Promise.all([identity.stop(), storage.stop(), client.end()]);
      await postgres.stop();
      await rm(files, { recursive: true });
    },
  };
}
