import { type Database, deleteExpiredIdempotencyKeys, unscoped } from '@profile-service/db';
import type { Job } from './job.ts';

/** Creates the job that deletes expired idempotency keys: 15 minutes after the first start of a deployment, then every hour. */
export function idempotencyKeyCleanupJob(database: Database): Job<'idempotency-key-cleanup'> {
  return {
    name: 'idempotency-key-cleanup',
    pollSeconds: 60,
    repeat: { firstAfterSeconds: 15 * 60, everySeconds: 60 * 60 },
    run: (_data, { signal }) => deleteExpiredIdempotencyKeys(unscoped(database.executor), { signal }),
  };
}
