import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type IdentityProvider, startIdentityProvider, startPostgres } from '@profile-service/local-stack';
import { splitName } from '../src/integrations/identity-provider/identity-provider.ts';
import { namesStorage } from '../src/integrations/storage/settings.ts';
import { isFree } from './ports.ts';
import { identitySettings, ownClientConfig } from './stand-in-settings.ts';
import { demoGlobal, demoPassword, demoPeople, demoTenants } from './people.ts';

type Environment = Record<string, string | undefined>;

export interface StandIns {
  /** The given settings with those of the stand-ins. */
  environment: Environment;
  /** Where the identity provider is the embedded one. */
  identity?: IdentityProvider;
  stop(): Promise<void>;
}

const serviceClient = { clientId: 'profile-service', secret: 'demo-profile-service-secret' };

/**
 * Starts an embedded stand-in for the database and the identity provider where their settings are absent, and keeps files in a folder where
 * no object storage is named. All data lie under `dataDir`.
 * @param identityPort where the identity provider listens, if nobody else does
 */
export async function startStandIns(given: Environment, dataDir: string, identityPort: number): Promise<StandIns> {
  const environment = { ...given };
  const started: { stop(): Promise<void> }[] = [];
  const stop = async () => {
    for (const part of started.splice(0).toReversed()) await part.stop();
  };
  try {
    if (!given['DATABASE_URL']) {
      const database = await startPostgres({ dataDir: join(dataDir, 'postgres') });
      started.push(database);
      environment['DATABASE_URL'] = database.url;
    }
    if (!namesStorage(given)) {
      const folder = join(dataDir, 'files');
      await mkdir(folder, { recursive: true });
      environment['STORAGE_DIR'] = folder;
    }
    if (given['IDENTITY_REALM_URL']) return { environment, stop };
    const identity = await startDemoIdentity(join(dataDir, 'identity'), identityPort);
    started.push(identity);
    Object.assign(environment, {
      ...identitySettings(identity, serviceClient),
      DOCS_CLIENT_ID: 'web',
      BOOTSTRAP_GLOBAL_EMAIL: demoGlobal.email,
      BOOTSTRAP_GLOBAL_NAME: demoGlobal.name,
      BOOTSTRAP_GLOBAL_TAX_ID: demoGlobal.federalTaxId,
    });
    return { environment, identity, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startDemoIdentity(dataDir: string, wantedPort: number): Promise<IdentityProvider> {
  return startIdentityProvider({
    dataDir,
    ...((await isFree(wantedPort, '127.0.0.1')) ? { port: wantedPort } : {}),
    // Long enough to try things out with one token.
    accessTokenLifespan: 3600,
    clients: [
      { clientId: 'web', public: true, redirectUris: ['http://localhost:*'], directAccessGrants: true },
      ownClientConfig(serviceClient),
      ...demoTenants.map(({ clientId, clientSecret }) => ({ clientId, secret: clientSecret })),
    ],
    users: [demoGlobal, ...demoPeople].map(({ email, name }) => ({ email, ...splitName(name), password: demoPassword })),
  });
}
