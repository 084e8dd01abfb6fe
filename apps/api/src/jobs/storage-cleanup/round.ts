import { type Database, type HandlerDatabase, withoutScopedTables } from '@profile-service/db';
import { sql } from 'kysely';
import type { Log } from '../../observability/log.ts';
import { type CleaningOptions, type CleaningReport, cleanStorage } from './compare.ts';

/** Any number that nothing else locks in this database. */
const lockKey = 7_316_204_118;

/** Most attachments without an object that a round names in the log. */
const mostLines = 100;

export interface StorageCleanupOptions extends Pick<CleaningOptions, 'storage' | 'basePath'> {
  database: Database;
  log: Log;
  onReport?: (report: CleaningReport) => void;
}

/** Cleans the storage once and logs the result. @returns null when another process is cleaning it at this moment */
export async function cleanStorageOnce(
  { database, log, onReport, ...options }: StorageCleanupOptions,
  signal?: AbortSignal,
): Promise<CleaningReport | null> {
  const report = await alone(database, (db) => cleanStorage({ ...options, db, ...(signal ? { signal } : {}) }));
  if (!report) return null;
  onReport?.(report);
  for (const attachment of report.missing.slice(0, mostLines)) log.error({ attachment }, 'an attachment has no object');
  log.info({ ...report, missing: report.missing.length }, 'the storage was cleaned');
  return report;
}

/** Runs the work on one connection, whose session lock keeps every other process from the same work, `pnpm storage:clean` included. */
function alone<T>({ db }: Database, work: (db: HandlerDatabase) => Promise<T>): Promise<T | null> {
  return db.connection().execute(async (connection) => {
    const lock = await sql<{ taken: boolean }>`select pg_try_advisory_lock(${lockKey}) as taken`.execute(connection);
    if (!lock.rows[0]?.taken) return null;
    try {
      return await work(withoutScopedTables(connection));
    } finally {
      await sql`select pg_advisory_unlock(${lockKey})`.execute(connection);
    }
  });
}
