import { backupLock } from '@profile-service/db';
import type pg from 'pg';
import { BackupError } from './backup-error.ts';
import type { RecordedFile } from './files.ts';

/** How long to wait for the lock: for running deletions, and for a page of the storage clean-up. */
const lockWaitMinutes = 10;
/** SQLSTATE of `lock_timeout`. */
const lockNotAvailable = '55P03';
const pageSize = 100;

export interface Snapshot {
  /** Id for `pg_dump --snapshot`. */
  id: string;
  takenAt: string;
  serverVersion: number;
  migrations: string[];
}

/**
 * Stops the removal of objects by an advisory lock, and then begins the transaction whose snapshot is the consistent point. The lock ends with the session.
 * @param signal aborts the wait for the lock within a second
 * @throws BackupError if another backup runs, or if the lock is not free in time
 */
export async function takeSnapshot(client: pg.Client, signal: AbortSignal): Promise<Snapshot> {
  const { rowCount } = await client.query(
    `select from pg_locks where locktype = 'advisory' and mode = 'ExclusiveLock' and granted and objsubid = 1
       and database = (select oid from pg_database where datname = current_database())
       and classid = ($1::bigint >> 32)::oid and objid = ($1::bigint & 4294967295)::oid`,
    [backupLock],
  );
  if (rowCount) throw new BackupError('Another backup or restore of this database is running');
  await waitForLock(client, signal);
  await client.query('begin isolation level repeatable read, read only');
  const { rows } = await client.query<Snapshot>(`
    select pg_export_snapshot() as id, now() as "takenAt", current_setting('server_version_num')::int as "serverVersion",
      array(select name::text from kysely_migration order by name) as migrations`);
  return rows[0] as Snapshot;
}

/** Waits for the lock in attempts of a second. Deletions that begin during an attempt wait behind it, so a busy service does not delay the backup. */
async function waitForLock(client: pg.Client, signal: AbortSignal): Promise<void> {
  await client.query(`set lock_timeout = '1s'`);
  for (const until = performance.now() + lockWaitMinutes * 60_000; ; signal.throwIfAborted()) {
    try {
      await client.query('select pg_advisory_lock($1)', [backupLock]);
      break;
    } catch (error) {
      if ((error as pg.DatabaseError).code !== lockNotAvailable) throw error;
      if (performance.now() > until) throw new BackupError(`Running deletions of files did not end within ${lockWaitMinutes} minutes`);
    }
  }
  await client.query('set lock_timeout = 0');
}

/** Returns the files of the live attachments in the snapshot, page by page. */
export async function* recordedFiles(client: pg.Client): AsyncGenerator<RecordedFile[]> {
  await client.query(`
    declare recorded_files no scroll cursor for
    select id, file_path as key, size, content_type as "contentType" from attachments where deleted_at is null order by file_path`);
  for (;;) {
    const { rows } = await client.query<RecordedFile>(`fetch ${pageSize} from recorded_files`);
    if (rows.length === 0) return;
    yield rows;
  }
}

/** Ends the transaction and releases the lock. @throws BackupError if the session did not hold the lock until now */
export async function releaseSnapshot(client: pg.Client): Promise<void> {
  await client.query('commit');
  const { rows } = await client.query<{ released: boolean }>('select pg_advisory_unlock($1) as released', [backupLock]);
  if (!rows[0]?.released)
    throw new BackupError('The lock of the backup was lost: a file may have been removed meanwhile. Repeat the backup.');
}
