import { Kysely, PostgresDialect } from 'kysely';
import { Migrator } from 'kysely/migration';
import pg from 'pg';
import { connectionConfig } from './database.ts';
import { migrations } from './migrations/index.ts';

/**
 * Brings the database to the newest schema and returns the names of the migrations that it applied, none when it was there already.
 * Two at once are safe: the second waits for the first. Throws with the name of the migration that failed; nothing of the run stays then.
 */
export async function migrate(connectionString: string, options: { ca?: string } = {}): Promise<string[]> {
  // No limit on statements: a migration of a large table, or one that waits for another, takes what it takes.
  const pool = new pg.Pool({
    ...connectionConfig({ connectionString, ...options, applicationName: 'profile-service-migrate' }),
    connectionTimeoutMillis: 5_000,
    max: 2,
  });
  pool.on('error', () => undefined);
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  try {
    const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
    const { error, results = [] } = await migrator.migrateToLatest();
    const failed = results.find(({ status }) => status === 'Error');
    if (failed) throw new Error(`Migration ${failed.migrationName} failed: ${messageOf(error)}`, { cause: error });
    if (error) throw new Error(`The migrations could not run: ${messageOf(error)}`, { cause: error });
    return results.map(({ migrationName }) => migrationName);
  } finally {
    await pool.end();
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message || String(Reflect.get(error, 'code')) : String(error);
}
