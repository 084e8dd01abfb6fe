import { backupLock } from '@profile-service/db';
import type pg from 'pg';
import { BackupError } from './backup-error.ts';
import type { RecordedFile } from './files.ts';

/** How long to wait for the lock: for running deletions, and for a page of the storage clean-up. */
const lockWaitMinutes = 10;
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
 * @throws BackupError if another backup runs
 */
export async function takeSnapshot(client: pg.Client): Promise<Snapshot> {
  const { rowCount } = await client.query(
    `select from pg_locks where locktype = 'advisory' and mode = 'ExclusiveLock' and granted and objsubid = 1
       and database = (select oid from pg_database where datname = current_database())
       and classid = ($1::bigint >> 32)::oid and objid = ($1::bigint & 4294967295)::oid`,
    [backupLock],
  );
  if (rowCount) throw new BackupError('Another backup or restore of this database is running');
  await client.query(`set lock_timeout = '${lockWaitMinutes}min'`);
  await client.query('select pg_advisory_lock($1)', [backupLock]);
  await client.query('set lock_timeout = 0');
  await client.query('begin isolation level repeatable read, read only');
  const { rows } = await client.query<Snapshot>(`
    select pg_export_snapshot() as id, now() as "takenAt", current_setting('server_version_num')::int as "serverVersion",
      array(select name::text from kysely_migration order by name) as migrations`);
  return rows[0] as Snapshot;
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
