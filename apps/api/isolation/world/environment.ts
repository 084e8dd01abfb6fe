import { randomUUID } from 'node:crypto';
import { connect, migrate } from '@profile-service/db';
import pg from 'pg';
import { startFastPostgres } from '../../../../test/fast-postgres.ts';
import { withoutLimits } from '../../../../test/without-limits.ts';
import { createTestWorld } from '../../test/support/test-world.ts';
import { strangers } from './callers.ts';

/** A service with its database, identity provider and storage, which all worlds use one after the other. */
export type Environment = Awaited<ReturnType<typeof startEnvironment>>;

/** Starts the environment. @param databaseServer a server that can create databases; absent: an embedded one in memory */
export async function startEnvironment(databaseServer: string | undefined) {
  const postgres = databaseServer ? undefined : await startFastPostgres('isolation', { autovacuum: 'off' });
  const databaseUrl = postgres?.url ?? (await createDatabase(databaseServer ?? ''));
  await migrate(databaseUrl);
  const identities = Array.from({ length: 8 }, (_, place) => ({ sub: randomUUID(), email: `identity-${place}@example.com` }));
  const known = identities.map(({ sub, email }) => ({ id: sub, email, firstName: 'Known', lastName: 'Before' }));
  // Each world has its own Global user.
  const { service, sql, sign, stop } = await createTestWorld({
    databaseUrl,
    settings: withoutLimits,
    options: { pauseImports: true },
    hasGlobalUser: false,
    identities: known,
  });
  // The test sends the events of webhooks and runs the imports itself.
  service.jobs.pause();
  const database = connect({ connectionString: databaseUrl, max: 3 });
  return {
    port: service.port,
    runImports: service.runImports,
    sql,
    database,
    sign,
    /** People whom the identity provider knows from the start. */
    identities,
    strangers: await strangers(sign),
    async stop() {
      await Promise.all([stop(), database.close()]);
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
