import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { startIdentityProvider, type UserConfig } from '@profile-service/local-stack';
import pg from 'pg';
import { fastFolder } from '../../../../test/fast-folder.ts';
import { quickKey } from '../../../../test/quick-key.ts';
import { identitySettings, serviceClientConfig } from '../../local/embedded-settings.ts';
import { type Service, type ServiceOptions, startService } from '../../src/service/service.ts';
import { readSettings } from '../../src/settings.ts';

/** Runs a statement outside the service, for states that no request can create, such as old data or the passing of a day. */
export type Sql = <Found extends object = object>(text: string, values?: unknown[]) => Promise<Found[]>;

/** The service with its database, identity provider and storage folder. Tests of all kinds run against it. */
export type TestWorld = Awaited<ReturnType<typeof createTestWorld>>;

interface TestWorldOptions {
  /** Options of all instances. */
  options?: ServiceOptions;
  /** Connection string of a migrated database. */
  databaseUrl: string;
  /** Settings that differ from those of `npm test`. */
  settings?: Record<string, string>;
  /** Whether the service creates the first Global user. */
  hasGlobalUser?: boolean;
  /** People whom the identity provider knows from the start. */
  identities?: UserConfig[];
}

export const profileClient = { clientId: 'profile-service', secret: 'test-profile-service-secret' };
const first = { email: 'first@example.com', name: 'First Global', federalTaxId: '52998224725' };
const bootstrap = {
  BOOTSTRAP_GLOBAL_EMAIL: first.email,
  BOOTSTRAP_GLOBAL_NAME: first.name,
  BOOTSTRAP_GLOBAL_TAX_ID: first.federalTaxId,
};
/** Longer than the timeouts of the service: statements outside it may wait for its locks. */
const longestStatementMs = 40_000;
const longestRunSeconds = 30 * 24 * 60 * 60;

/** Encrypts the secrets of webhooks. */
export const webhookKey = Buffer.alloc(32, 'key');

/** Instead of DNS: names under example.com have a public address, which no test connects to. */
const resolveHost = async (hostname: string): Promise<string[]> =>
  hostname === 'localhost' ? ['127.0.0.1'] : hostname.endsWith('.example.com') ? ['93.184.216.34'] : [];

/** Starts the service with an identity provider and a storage folder of its own. */
export async function createTestWorld({ databaseUrl, settings, hasGlobalUser = true, identities = [], options = {} }: TestWorldOptions) {
  /** The folder with the stored files. */
  const filesDir = await mkdtemp(join(await fastFolder(), 'profile-service-files-'));
  const identity = await startIdentityProvider({
    keys: [quickKey()],
    clients: [
      { clientId: 'web', public: true, redirectUris: ['http://localhost:*'] },
      serviceClientConfig(profileClient),
      { clientId: 'harvest', secret: 'test-harvest-secret' },
    ],
    users: [...(hasGlobalUser ? [{ email: first.email, firstName: 'First', lastName: 'Global', password: 'first' }] : []), ...identities],
  });
  /** The settings of the service. */
  const environment: Record<string, string> = {
    NODE_ENV: 'test',
    PORT: '0',
    HOST: '127.0.0.1',
    LOG_LEVEL: 'silent',
    PUBLIC_URL: 'http://docs.example',
    DATABASE_URL: databaseUrl,
    DATABASE_POOL_MAX: '5',
    ...identitySettings(identity, profileClient),
    STORAGE_DIR: filesDir,
    WEBHOOK_ENCRYPTION_KEY: webhookKey.toString('base64'),
    WEBHOOK_ALLOWED_HOSTS: 'localhost',
    ...(hasGlobalUser ? bootstrap : {}),
    ...settings,
  };
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 2, statement_timeout: longestStatementMs });
  // The server may stop while an idle connection closes.
  pool.on('error', () => undefined);
  const services: Service[] = [];
  /** Starts another instance with the same database, identity provider and storage. */
  const another = async (more: Record<string, string> = {}, others: ServiceOptions = {}): Promise<Service> => {
    // Clients in tests repeat no request on an idle connection.
    const started = await startService(readSettings({ ...environment, ...more }), {
      idleConnectionMs: 0,
      resolveHost,
      ...options,
      ...others,
    });
    let stopping: Promise<void> | undefined;
    // A test may stop it before the world does.
    const service = { ...started, stop: () => (stopping ??= started.stop()) };
    services.push(service);
    return service;
  };
  const sql: Sql = async <Found extends object>(text: string, values: unknown[] = []) => (await pool.query<Found>(text, values)).rows;
  return {
    service: await another(),
    identity,
    filesDir,
    databaseUrl,
    environment,
    /** Identity of the first Global user; empty without one. */
    globalSubject: identity.users().find(({ email }) => email === first.email)?.id ?? '',
    sql,
    /** Signs an access token with these claims, as the identity provider does. It is valid for the whole run. */
    sign: (claims: Record<string, unknown>): Promise<string> => identity.sign(claims, { expiresIn: longestRunSeconds }),
    another,
    async stop() {
      await Promise.all(services.map((running) => running.stop()));
      await Promise.all([identity.stop(), pool.end()]);
      await rm(filesDir, { recursive: true });
    },
  };
}
