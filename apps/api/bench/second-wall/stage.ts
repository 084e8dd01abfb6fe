import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { migrate } from '@profile-service/db';
import { startIdentityProvider, startPostgres, startStorage } from '@profile-service/local-stack';
import type { JWK } from 'jose';
import pg from 'pg';
import { fastFolder } from '../../../../test/fast-folder.ts';
import { withoutLimits } from '../../../../test/without-limits.ts';
import { type MeasuredService, startMeasured } from './service.ts';
import { raiseWalls } from './policy.ts';
import { plantReaders, type Reader } from './world.ts';

export interface Stage {
  readers: readonly Reader[];
  service: MeasuredService;
  stop(): Promise<void>;
}

const identityClient = { clientId: 'profile-service', secret: 'bench' };

/** A service on a database with readers and walls in it. @param connections that it has to the database at most */
export async function setStage(connections: number): Promise<Stage> {
  const folder = await mkdtemp(join(await fastFolder(), 'profile-service-bench-'));
  const postgres = await startPostgres({ dataDir: folder, settings: { fsync: 'off', autovacuum: 'off' } });
  await migrate(postgres.url);
  const { privateKey } = generateKeyPairSync('ed25519');
  const identity = await startIdentityProvider({
    keys: [privateKey.export({ format: 'jwk' }) as JWK],
    clients: [{ ...identityClient, serviceAccountRoles: { client: { 'realm-management': ['view-users'] } } }],
  });
  const storage = await startStorage({ dataDir: join(folder, 'storage') });
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  const readers = await plantReaders(client, identity);
  await raiseWalls(client);
  const environment = {
    PORT: '0',
    HOST: '127.0.0.1',
    DATABASE_URL: postgres.url,
    DATABASE_POOL_MAX: String(connections),
    IDENTITY_REALM_URL: identity.realmUrl,
    IDENTITY_AUTH_URL: identity.realmUrl,
    IDENTITY_CLIENT_ID: identityClient.clientId,
    IDENTITY_CLIENT_SECRET: identityClient.secret,
    STORAGE_ENDPOINT: storage.endpoint,
    STORAGE_REGION: storage.region,
    STORAGE_BUCKET: storage.bucket,
    STORAGE_ACCESS_KEY_ID: storage.accessKeyId,
    STORAGE_SECRET_ACCESS_KEY: storage.secretAccessKey,
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
      await rm(folder, { recursive: true });
    },
  };
}
