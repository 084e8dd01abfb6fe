import type { Database, DB } from '@profile-service/db';
import { type Kysely, sql } from 'kysely';
import type { Logger } from 'pino';
import { type CleanupOptions, type CleanupReport, cleanStorage } from './clean-storage.ts';

/** Key of the advisory lock. No other program uses it in this database. */
const advisoryLock = 7_316_204_118;

export interface StorageCleanupOptions extends Pick<CleanupOptions, 'storage' | 'basePath'> {
  database: Database;
  log: Logger;
  onReport?: (report: CleanupReport) => void;
}

/** Cleans the storage once and logs the result. @returns null if another process is cleaning it now */
export async function cleanStorageOnce(
  { database, log, onReport, ...options }: StorageCleanupOptions,
  signal?: AbortSignal,
): Promise<CleanupReport | null> {
  const onPause = () => log.info('a backup is running: the removal of files waits for its end');
  const report = await withAdvisoryLock(database, (db) => cleanStorage({ ...options, db, onPause, ...(signal ? { signal } : {}) }));
  if (!report) return null;
  onReport?.(report);
  for (const attachment of report.missing.ids) log.error({ attachment }, 'an attachment has no object');
  log.info({ ...report, missing: report.missing.count }, 'the storage was cleaned');
  return report;
}

/** Runs the work on one connection that holds the advisory lock, so that only one process cleans the storage. @returns null if the lock is taken */
function withAdvisoryLock<T>({ db }: Database, work: (db: Kysely<DB>) => Promise<T>): Promise<T | null> {
  return db.connection().execute(async (connection) => {
    const lock = await sql<{ taken: boolean }>`select pg_try_advisory_lock(${advisoryLock}) as taken`.execute(connection);
    if (!lock.rows[0]?.taken) return null;
    try {
      return await work(connection);
    } finally {
      await sql`select pg_advisory_unlock(${advisoryLock})`.execute(connection);
    }
  });
}
