import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type IdentityProvider, startIdentityProvider } from '@profile-service/local-stack';
import pg from 'pg';
import { identitySettings, ownClientConfig } from '../../local/stand-in-settings.ts';
import { type Service, type ServiceOptions, startService } from '../../src/service.ts';
import { readSettings } from '../../src/settings.ts';
import { createTestDatabase } from '../../../../test/database.ts';
import { fastFolder } from '../../../../test/fast-folder.ts';
import { quickKey } from '../../../../test/quick-key.ts';
import { type Api, createApi } from './api.ts';
import { createPeople, type People } from './people.ts';

export interface World extends Api, People {
  service: Service;
  identity: IdentityProvider;
  /** The folder of its files. */
  filesDir: string;
  /** Connection string of this world's own database. */
  databaseUrl: string;
  /** The settings that the service runs with: start a second instance with them. */
  environment: Record<string, string>;
  /** Starts another instance on the same parts. */
  another(extra?: Record<string, string>, options?: ServiceOptions): Promise<Service>;
  /** Runs SQL beside the service, for what no request can bring about: an old link without persona, the passing of a day. */
  sql<Found extends object = object>(text: string, values?: unknown[]): Promise<Found[]>;
  stop(): Promise<void>;
}

export const profileClient = { clientId: 'profile-service', secret: 'test-profile-service-secret' };
/** Largest file of an upload here: small, so that too large ones are too. */
export const maxFileBytes = 6 * 1024 * 1024;
const first = { email: 'first@example.com', name: 'First Global', federalTaxId: '52998224725' };

/**
 * The real application on a database, an identity provider and a storage folder of its own, with one Global user in it.
 * Everything else is made through the API, as its users would.
 */
export async function startWorld(extra: Record<string, string> = {}, createDatabase = createTestDatabase): Promise<World> {
  const databaseUrl = await createDatabase();
  const filesDir = await mkdtemp(join(await fastFolder(), 'profile-service-files-'));
  const identity = await startIdentityProvider({
    keys: [quickKey()],
    clients: [
      { clientId: 'web', public: true, redirectUris: ['http://localhost:*'] },
      ownClientConfig(profileClient),
      { clientId: 'harvest', secret: 'test-harvest-secret' },
    ],
    users: [{ email: first.email, firstName: 'First', lastName: 'Global', password: 'first' }],
  });
  const environment = {
    NODE_ENV: 'test',
    PORT: '0',
    HOST: '127.0.0.1',
    LOG_LEVEL: 'silent',
    PUBLIC_URL: 'http://docs.example',
    DATABASE_URL: databaseUrl,
    DATABASE_POOL_MAX: '5',
    ...identitySettings(identity, profileClient),
    STORAGE_DIR: filesDir,
    ATTACHMENT_MAX_BYTES: String(maxFileBytes),
    // On, and out of reach: a fast machine asks more often than the defaults let one caller ask.
    RATE_LIMIT_ADDRESS_PER_SECOND: '1000000',
    RATE_LIMIT_CALLER_PER_SECOND: '1000000',
    RATE_LIMIT_IDENTITY_PER_SECOND: '1000000',
    BOOTSTRAP_GLOBAL_EMAIL: first.email,
    BOOTSTRAP_GLOBAL_NAME: first.name,
    BOOTSTRAP_GLOBAL_TAX_ID: first.federalTaxId,
    ...extra,
  };
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 2 });
  const services: Service[] = [];
  const another = async (more: Record<string, string> = {}, options: ServiceOptions = {}) => {
    const started = await startService(readSettings({ ...environment, ...more }), options);
    let stopping: Promise<void> | undefined;
    // A test may stop it before the world does.
    const service = { ...started, stop: () => (stopping ??= started.stop()) };
    services.push(service);
    return service;
  };
  const service = await another();
  const api = createApi(service.url);
  const subject = identity.users().find(({ email }) => email === first.email)?.id ?? '';
  const people = await createPeople(api, identity, subject);
  return {
    ...api,
    ...people,
    service,
    identity,
    filesDir,
    databaseUrl,
    environment,
    another,
    sql: async <Found extends object>(text: string, values: unknown[] = []) => (await pool.query<Found>(text, values)).rows,
    async stop() {
      await Promise.all(services.map((running) => running.stop()));
      await Promise.all([identity.stop(), pool.end()]);
      await rm(filesDir, { recursive: true });
    },
  };
}
