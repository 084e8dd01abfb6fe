import { deleteExpiredIdempotencyKeys, withoutScopedTables } from '@profile-service/db';
import { defineJob, recurring } from './job.ts';

/** Deletes expired idempotency keys: 15 minutes after the first start of a deployment, then every hour. */
export const idempotencyKeyCleanup = defineJob({
  name: 'idempotency-key-cleanup',
  queue: { ...recurring, expireInSeconds: 15 * 60 },
  pollSeconds: 60,
  repeat: { firstAfterSeconds: 15 * 60, everySeconds: 60 * 60 },
  run: (_data, { database, signal }) => deleteExpiredIdempotencyKeys(withoutScopedTables(database.executor), { signal }),
});
