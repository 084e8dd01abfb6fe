import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type IdentityProvider, startIdentityProvider } from '@profile-service/local-stack';
import pg from 'pg';
import { identitySettings, serviceClientConfig } from '../../local/embedded-settings.ts';
import { type Service, type ServiceOptions, startService } from '../../src/service/service.ts';
import { readSettings } from '../../src/settings.ts';
import { createTestDatabase } from '../../../../test/database.ts';
import { fastFolder } from '../../../../test/fast-folder.ts';
import { quickKey } from '../../../../test/quick-key.ts';
import { type Api, createApi } from './api.ts';
import { createPeople, type People } from './people.ts';
import type { StoredFiles } from '../../../../test/storage/stored-files.ts';
import { worldStorage } from './world-storage.ts';

export interface World extends Api, People {
  service: Service;
  identity: IdentityProvider;
  /** The folder with the stored files. Empty in `npm run proof -- storage`. */
  filesDir: string;
  /** The stored files, read and changed without the service. */
  storedFiles: StoredFiles;
  /** Connection string of the database. */
  databaseUrl: string;
  /** The settings of the service. */
  environment: Record<string, string>;
  /** Starts another instance with the same database, identity provider and storage. */
  another(extra?: Record<string, string>, options?: ServiceOptions): Promise<Service>;
  /** Runs SQL directly, for states that no request can create, such as old data or the passing of a day. */
  sql<Found extends object = object>(text: string, values?: unknown[]): Promise<Found[]>;
  stop(): Promise<void>;
}

export const profileClient = { clientId: 'profile-service', secret: 'test-profile-service-secret' };
/** Size limit of uploads. Small, so that tests can exceed it quickly. */
export const maxFileBytes = 6 * 1024 * 1024;
const first = { email: 'first@example.com', name: 'First Global', federalTaxId: '52998224725' };

/**
 * Starts the application with its own database, identity provider and storage folder, and one Global user.
 * Tests create everything else through the API.
 */
export async function startWorld(extra: Record<string, string> = {}, createDatabase = createTestDatabase): Promise<World> {
  const databaseUrl = await createDatabase();
  const filesDir = await mkdtemp(join(await fastFolder(), 'profile-service-files-'));
  const storage = await worldStorage(filesDir, extra);
  const identity = await startIdentityProvider({
    keys: [quickKey()],
    clients: [
      { clientId: 'web', public: true, redirectUris: ['http://localhost:*'] },
      serviceClientConfig(profileClient),
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
    ...storage.settings,
    ATTACHMENT_MAX_BYTES: String(maxFileBytes),
    // The limits apply, but tests do not reach them. They would exceed the defaults on a fast machine.
    RATE_LIMIT_ADDRESS_PER_SECOND: '1000000',
    RATE_LIMIT_CALLER_PER_SECOND: '1000000',
    RATE_LIMIT_IDENTITY_PER_SECOND: '1000000',
    // Many requests at once must not be an overload on a slow machine.
    REQUEST_QUEUE_DELAY_MS: '5000',
    BOOTSTRAP_GLOBAL_EMAIL: first.email,
    BOOTSTRAP_GLOBAL_NAME: first.name,
    BOOTSTRAP_GLOBAL_TAX_ID: first.federalTaxId,
    ...extra,
  };
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 2 });
  const services: Service[] = [];
  const another = async (more: Record<string, string> = {}, options: ServiceOptions = {}) => {
    // Clients in tests repeat no request on an idle connection.
    const started = await startService(readSettings({ ...environment, ...more }), { idleConnectionMs: 0, ...options });
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
    storedFiles: storage.files,
    databaseUrl,
    environment,
    another,
    sql: async <Found extends object>(text: string, values: unknown[] = []) => (await pool.query<Found>(text, values)).rows,
    async stop() {
      await Promise.all(services.map((running) => running.stop()));
      await Promise.all([identity.stop(), pool.end(), storage.remove()]);
      await rm(filesDir, { recursive: true });
    },
  };
}
