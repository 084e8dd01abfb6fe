import pg from 'pg';
import { migrations } from './index.ts';

/** The database lacks migrations of this build. */
export class MissingMigrationsError extends Error {
  constructor(names: readonly string[]) {
    super(`The database lacks migrations: ${names.join(', ')}`);
  }
}

/**
 * Checks that the database has every migration of this build (HEALTH-2). Further migrations are allowed, because a newer version may run beside this one.
 * @throws MissingMigrationsError, or the error of the query
 */
export async function checkSchema(pool: pg.Pool): Promise<void> {
  const applied = await pool.query<{ name: string }>('select name from kysely_migration').then(
    ({ rows }) => new Set(rows.map(({ name }) => name)),
    (error: unknown) => (isMissingTable(error) ? new Set<string>() : Promise.reject(error as Error)),
  );
  const missing = Object.keys(migrations).filter((name) => !applied.has(name));
  if (missing.length > 0) throw new MissingMigrationsError(missing);
}

/** Returns the migrations that this build does not have. */
export const unknownMigrations = (applied: readonly string[]): string[] => applied.filter((name) => !Object.hasOwn(migrations, name));

/** SQLSTATE 42P01, undefined_table. */
const isMissingTable = (error: unknown): boolean => error instanceof pg.DatabaseError && error.code === '42P01';
