import { Kysely, PostgresDialect } from 'kysely';
import { type MigrationResultSet, Migrator } from 'kysely/migration';
import pg from 'pg';
import { createAuditPartitions } from '../journal/audit-partitions.ts';
import { connectionConfig } from '../connection/database.ts';
import { installJobQueue } from '../jobs/install.ts';
import { migrations } from './index.ts';
import { checkServerVersion } from '../connection/server-version.ts';

/**
 * Installs the job queue, applies the missing migrations in one transaction, and returns their names. Creates the next partitions of the audit log, so that a
 * service which was stopped for months can write when it starts.
 * Concurrent calls wait for each other. A database that a newer version has migrated stays as it is.
 * @throws an error that says that the server is too old, or one with the name of the migration that failed; then no migration of the call is applied
 */
export async function migrate(connectionString: string, options: { ca?: string } = {}): Promise<string[]> {
  // Without a time limit for statements: a large table or a concurrent migration can take long.
  const pool = new pg.Pool({
    ...connectionConfig({ connectionString, ...options, applicationName: 'profile-service-migrate' }),
    connectionTimeoutMillis: 5_000,
    max: 2,
  });
  pool.on('error', () => undefined);
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  try {
    // The job queue is installed before the migrations, since they may add jobs.
    await checkServerVersion(pool)
      .then(() => installJobQueue(pool))
      .catch((error: unknown) => {
        throw new Error(`The migrations could not run: ${messageOf(error)}`, { cause: error });
      });
    const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
    const isPending = (await migrator.getMigrations()).some(({ executedAt }) => executedAt === undefined);
    const { error, results = [] }: MigrationResultSet = isPending ? await migrator.migrateToLatest() : {};
    const failed = results.find(({ status }) => status === 'Error');
    if (failed) throw new Error(`Migration ${failed.migrationName} failed: ${messageOf(error)}`, { cause: error });
    if (error) throw new Error(`The migrations could not run: ${messageOf(error)}`, { cause: error });
    await createAuditPartitions(pool).catch((cause: unknown) => {
      throw new Error(`The partitions of the audit log could not be created: ${messageOf(cause)}`, { cause });
    });
    return results.map(({ migrationName }) => migrationName);
  } finally {
    await pool.end();
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message || String(Reflect.get(error, 'code')) : String(error);
}
