import { setTimeout } from 'node:timers/promises';
import { type Database, type HandlerDatabase, withoutScopedTables } from '@profile-service/db';
import { sql } from 'kysely';
import type { Log } from '../../observability/log.ts';
import { type CleaningOptions, type CleaningReport, cleanStorage } from './compare.ts';

/** Any number that nothing else locks in this database. */
const lockKey = 7_316_204_118;

const firstMs = 5 * 60_000;
const intervalMs = 60 * 60_000;
const mostLines = 100;

export interface StorageCleanupOptions extends Pick<CleaningOptions, 'storage' | 'basePath'> {
  database: Database;
  log: Log;
  onReport?: (report: CleaningReport) => void;
}

/** Cleans the storage, unless another instance does so at this moment: then null. Tells the log of what it did and found. */
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

/** Cleans the storage soon after the start and then every hour, in milliseconds. @returns stops it, a round under way included */
export function startStorageCleanup(options: StorageCleanupOptions, first = firstMs, interval = intervalMs): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;

  async function work(): Promise<void> {
    for (let pause = first; !signal.aborted; pause = interval) {
      await setTimeout(pause, undefined, { signal, ref: false });
      await cleanStorageOnce(options, signal).catch((error: unknown) => {
        if (!signal.aborted) options.log.warn({ reason: String(error) }, 'the storage could not be cleaned, will be tried again');
      });
    }
  }

  const working = work().catch(() => undefined);
  return {
    async stop() {
      stopping.abort();
      await working;
    },
  };
}

/** Does the work on one connection, while a lock of its session keeps the other instances from the same. */
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
