import { randomUUID } from 'node:crypto';
import { migrate } from '@profile-service/db';
import pg from 'pg';
import { startFastPostgres } from '../../../../test/fast-postgres.ts';
import { withoutLimits } from '../../../../test/without-limits.ts';
import type { Sign } from '../../test/support/people.ts';
import { createTestWorld, type Sql } from '../../test/support/test-world.ts';
import { type Caller, strangers } from './callers.ts';
import type { KnownIdentity } from './records.ts';

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

/** Starts the environment. @param databaseServer a server that can create databases; absent: an embedded one in memory */
export async function startEnvironment(databaseServer: string | undefined): Promise<Environment> {
  const postgres = databaseServer ? undefined : await startFastPostgres('isolation', { autovacuum: 'off' });
  const databaseUrl = postgres?.url ?? (await createDatabase(databaseServer ?? ''));
  await migrate(databaseUrl);
  const identities = Array.from({ length: 8 }, (_, place) => ({ sub: randomUUID(), email: `identity-${place}@example.com` }));
  const known = identities.map(({ sub, email }) => ({ id: sub, email, firstName: 'Known', lastName: 'Before' }));
  // Each world has its own Global user.
  const { service, sql, sign, stop } = await createTestWorld({
    databaseUrl,
    settings: withoutLimits,
    hasGlobalUser: false,
    identities: known,
  });
  return {
    port: service.port,
    sql,
    sign,
    identities,
    strangers: await strangers(sign),
    async stop() {
      await stop();
      await postgres?.stop();
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
