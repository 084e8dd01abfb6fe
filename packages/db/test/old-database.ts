import { Kysely, PostgresDialect } from 'kysely';
import { Migrator } from 'kysely/migration';
import pg from 'pg';
import { createEmptyDatabase } from '../../../test/database.ts';
import { installJobQueue } from '../src/jobs/install.ts';
import { migrations } from '../src/migrations/index.ts';

/** Returns a database of an older version, whose last migration is this one. */
export async function createOldDatabase(lastMigration: string): Promise<string> {
  const connectionString = await createEmptyDatabase();
  const pool = new pg.Pool({ connectionString, max: 1 });
  await installJobQueue(pool);
  const db = new Kysely({ dialect: new PostgresDialect({ pool }) });
  const { error } = await new Migrator({ db, provider: { getMigrations: async () => migrations } }).migrateTo(lastMigration);
  if (error) throw error as Error;
  await db.destroy();
  return connectionString;
}
