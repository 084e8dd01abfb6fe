import { Kysely, PostgresDialect } from 'kysely';
import { Migrator } from 'kysely/migration';
import pg from 'pg';
import { connectionConfig } from './database.ts';
import { installJobQueue } from './jobs/install.ts';
import { migrations } from './migrations/index.ts';

/**
 * Installs the job queue, applies the migrations that are missing, and returns their names.
 * Several calls at once are safe: one waits for the other. The migrations of a call run in one transaction.
 * @throws with the name of the migration that failed; none of the call's migrations is applied then
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
    // First: a migration may add jobs.
    await installJobQueue(pool).catch((error: unknown) => {
      throw new Error(`The migrations could not run: ${messageOf(error)}`, { cause: error });
    });
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
