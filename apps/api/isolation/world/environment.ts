import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { migrate } from '@profile-service/db';
import { startIdentityProvider } from '@profile-service/local-stack';
import pg from 'pg';
import { fastFolder } from '../../../../test/fast-folder.ts';
import { startFastPostgres } from '../../../../test/fast-postgres.ts';
import { quickKey } from '../../../../test/quick-key.ts';
import { withoutLimits } from '../../../../test/without-limits.ts';
import { identitySettings, serviceClientConfig } from '../../local/embedded-settings.ts';
import { startService } from '../../src/service/service.ts';
import { readSettings } from '../../src/settings.ts';
import { ownClient } from '../../test/oracle/token.ts';
import { type Caller, type Sign, strangers } from './callers.ts';
import type { KnownIdentity } from './records.ts';
import type { Sql } from './store.ts';

/** A service with its database, identity provider and storage, which all worlds use one after the other. */
export interface Environment {
  port: number;
  sql: Sql;
  sign: Sign;
  /** People whom the identity provider knows from the start. */
  identities: readonly KnownIdentity[];
  /** Callers who are in no world. */
  strangers: readonly Caller[];
  stop(): Promise<void>;
}

const own = { clientId: ownClient, secret: 'isolation-secret' };
/** Longer than the timeouts of the service: statements here may wait for its locks. */
const longestStatementMs = 40_000;
const day = 24 * 60 * 60;

/** Starts the environment. @param databaseServer a server that can create databases; absent: an embedded one in memory */
export async function startEnvironment(databaseServer: string | undefined): Promise<Environment> {
  const postgres = databaseServer ? undefined : await startFastPostgres('isolation', { autovacuum: 'off' });
  const databaseUrl = postgres?.url ?? (await createDatabase(databaseServer ?? ''));
  await migrate(databaseUrl);
  const identities = Array.from({ length: 8 }, (_, place) => ({ sub: randomUUID(), email: `identity-${place}@example.com` }));
  const identity = await startIdentityProvider({
    keys: [quickKey()],
    clients: [serviceClientConfig(own)],
    users: identities.map(({ sub, email }) => ({ id: sub, email, firstName: 'Known', lastName: 'Before' })),
  });
  const files = await mkdtemp(join(await fastFolder(), 'profile-service-isolation-files-'));
  const service = await startService(
    readSettings({
      NODE_ENV: 'test',
      PORT: '0',
      HOST: '127.0.0.1',
      LOG_LEVEL: 'silent',
      ...withoutLimits,
      DATABASE_URL: databaseUrl,
      DATABASE_POOL_MAX: '5',
      ...identitySettings(identity, own),
      STORAGE_DIR: files,
    }),
  );
  const client = new pg.Client({ connectionString: databaseUrl, statement_timeout: longestStatementMs });
  await client.connect();
  const sign: Sign = (claims) => identity.sign(claims, { expiresIn: 30 * day });
  return {
    port: service.port,
    sql: async <Found extends object>(text: string, values: unknown[] = []) => (await client.query<Found>(text, values)).rows,
    sign,
    identities,
    strangers: await strangers(sign),
    async stop() {
      await service.stop();
      await Promise.all([identity.stop(), client.end()]);
      await postgres?.stop();
      await rm(files, { recursive: true });
    },
  };
}

async function createDatabase(server: string): Promise<string> {
  const url = new URL(server);
  url.pathname = `isolation_${randomUUID()}`;
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    await client.query(`create database ${pg.escapeIdentifier(url.pathname.slice(1))}`);
  } finally {
    await client.end();
  }
  return url.href;
}
