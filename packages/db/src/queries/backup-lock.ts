import { sql } from 'kysely';

/**
 * Key of the advisory lock of backups. No other program uses it in this database. A backup holds it exclusively. Whoever removes the object of an attachment
 * holds it shared, or leaves the object to the storage clean-up. So the objects of all attachments that the backup's snapshot has exist until it has copied them.
 */
export const backupLock = 7_316_204_120;

/**
 * Takes the lock shared, until the end of the transaction. False while a backup runs. For the transaction that deletes the record: a backup that begins after
 * its commit does not need the object.
 */
export const noBackupRuns = sql<boolean>`pg_try_advisory_xact_lock_shared(${sql.lit(backupLock)})`;
