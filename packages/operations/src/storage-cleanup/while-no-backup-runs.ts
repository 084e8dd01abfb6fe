import { setTimeout as pause } from 'node:timers/promises';
import { backupLock, type DB } from '@profile-service/db';
import { type Kysely, sql } from 'kysely';

/** Time between two attempts to take the lock, in milliseconds. */
const retryMs = 1_000;

interface WaitOptions {
  /** Called once if a backup is running. */
  onPause: (() => void) | undefined;
  signal: AbortSignal | undefined;
}

/**
 * Runs the work while it holds the lock of backups shared. Waits until no backup runs. It does not queue for the lock: a queued statement has a time limit.
 * @throws the reason of the signal when it is aborted during the wait
 */
export async function whileNoBackupRuns(db: Kysely<DB>, { onPause, signal }: WaitOptions, work: () => Promise<void>): Promise<void> {
  for (let isPaused = false; !(await withSharedLock(db, work)); isPaused = true) {
    if (!isPaused) onPause?.();
    await pause(retryMs, undefined, signal && { signal });
  }
}

/** Returns false without running the work if a backup holds the lock. */
function withSharedLock(db: Kysely<DB>, work: () => Promise<void>): Promise<boolean> {
  return db.connection().execute(async (connection) => {
    const lock = await sql<{ taken: boolean }>`select pg_try_advisory_lock_shared(${backupLock}) as taken`.execute(connection);
    if (!lock.rows[0]?.taken) return false;
    try {
      await work();
    } finally {
      await sql`select pg_advisory_unlock_shared(${backupLock})`.execute(connection);
    }
    return true;
  });
}
