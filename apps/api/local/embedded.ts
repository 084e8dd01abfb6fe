import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type IdentityProvider, startIdentityProvider, startPostgres } from '@profile-service/local-stack';
import { namesStorage } from '@profile-service/storage';
import { identitySettings, serviceClientConfig } from './embedded-settings.ts';
import { demoGlobal, demoPassword, demoPeople, demoTenants, describePerson } from './people.ts';
import { createProgress, type Progress } from './progress.ts';

type Environment = Record<string, string | undefined>;

export interface EmbeddedServices {
  /** The environment, with the settings of what was started. */
  environment: Environment;
  /** The embedded identity provider; undefined if the environment names another one. */
  identity?: IdentityProvider;
  stop(): Promise<void>;
}

/** Redirect URIs of frontends on this machine: on any port, and on port 80, which URLs omit. */
const frontends = ['http://localhost:*', 'http://127.0.0.1:*', 'http://localhost/*', 'http://127.0.0.1/*'];
const serviceClient = { clientId: 'profile-service', secret: 'demo-profile-service-secret' };

/**
 * Starts an embedded PostgreSQL and an embedded identity provider, each only if the environment names no other one.
 * Files are stored in a folder unless the environment names an object storage. All data is under `dataDir`.
 * @param identityPort port of the identity provider; 0 for a free one
 */
export async function startEmbeddedServices(
  configured: Environment,
  dataDir: string,
  identityPort: number,
  progress: Progress = createProgress(false),
): Promise<EmbeddedServices> {
  const environment = { ...configured };
  const started: { stop(): Promise<void> }[] = [];
  const stop = async () => {
    for (const service of started.splice(0).toReversed()) await service.stop();
  };
  try {
    if (!configured['DATABASE_URL']) {
      const database = await progress('Starting PostgreSQL', () => startPostgres({ dataDir: join(dataDir, 'postgres') }));
      started.push(database);
      environment['DATABASE_URL'] = database.url;
    }
    if (!namesStorage(configured)) {
      const folder = join(dataDir, 'files');
      await mkdir(folder, { recursive: true });
      environment['STORAGE_DIR'] = folder;
    }
    environment['WEBHOOK_ENCRYPTION_KEY'] ||= await readOrCreateKey(join(dataDir, 'webhook-encryption-key'));
    // A receiver on this machine.
    environment['WEBHOOK_ALLOWED_HOSTS'] ||= 'localhost';
    if (configured['IDENTITY_REALM_URL']) return { environment, stop };
    const identity = await progress('Starting the identity provider', () =>
      startDemoIdentityProvider(join(dataDir, 'identity'), identityPort, configured['HOST']),
    );
    started.push(identity);
    // A frontend on this machine can call the service. NODE_ENV=production does not accept these origins.
    if (configured['NODE_ENV'] !== 'production') environment['CORS_ORIGINS'] ??= 'http://localhost:*,http://127.0.0.1:*';
    Object.assign(environment, {
      ...identitySettings(identity, serviceClient),
      DOCS_CLIENT_ID: 'web',
      // The last page of the password mail links to the API reference: the demo has no frontend.
      IDENTITY_MAIL_CLIENT_ID: 'web',
      IDENTITY_MAIL_REDIRECT_URL: `http://localhost:${configured['PORT']}/docs`,
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

/** Returns the key in the file, a base64 of 32 bytes. Creates the file if it does not exist. */
async function readOrCreateKey(file: string): Promise<string> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, randomBytes(32).toString('base64'), { flag: 'wx', mode: 0o600 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  return readFile(file, 'utf8');
}

/** @param host address to listen on; 127.0.0.1 by default, since everybody knows the passwords */
async function startDemoIdentityProvider(dataDir: string, port: number, host = '127.0.0.1'): Promise<IdentityProvider> {
  return startIdentityProvider({
    dataDir,
    host,
    port,
    // An hour, so that a pasted token lasts for a while.
    accessTokenLifespan: 3600,
    clients: [
      { clientId: 'web', public: true, redirectUris: frontends, directAccessGrants: true },
      serviceClientConfig(serviceClient),
      ...demoTenants.map(({ clientId, clientSecret }) => ({ clientId, secret: clientSecret })),
    ],
    users: [demoGlobal, ...demoPeople].map((person) => {
      const [firstName = '', lastName = ''] = person.name.split(' ');
      return { email: person.email, firstName, lastName, password: demoPassword, hint: describePerson(person) };
    }),
  });
}
