import type { Queue } from 'pg-boss';

/** The schema of the job queue. The migration command creates it; pg-boss owns its tables. */
export const jobSchema = 'pgboss';

/** All jobs by name, with their data. Data is stored as JSON: use ids, and no personal data. */
export interface JobData {
  'password-mail': { userId: string };
  'storage-cleanup': Record<string, never>;
  'audit-partitions': Record<string, never>;
  'event-cleanup': Record<string, never>;
  'idempotency-key-cleanup': Record<string, never>;
}

export type JobName = keyof JobData;

/**
 * The retry policy of each job. The migration command writes it to the database. A job copies it when it is added.
 *
 * - The pause before a retry starts at `retryDelay` seconds and doubles with each attempt, up to `retryDelayMax`. A random time of up to the same length
 *   is added.
 * - A run whose process died is retried `expireInSeconds` after its start, or `heartbeatSeconds` after its last heartbeat.
 */
export const queues: Record<JobName, Omit<Queue, 'name'>> = {
  // 30 retries: 7 pauses from 30 s to 32 min and 23 pauses of 1 hour. The last retry is after 24 to 25 hours, without the random time.
  'password-mail': { retryLimit: 30, retryDelay: 30, retryBackoff: true, retryDelayMax: 3_600, expireInSeconds: 60 },
  // `short`: at most one job waits, although every instance schedules it. Cleaning a large storage can take hours.
  'storage-cleanup': {
    policy: 'short',
    retryLimit: 10,
    retryDelay: 30,
    retryBackoff: true,
    retryDelayMax: 3_600,
    expireInSeconds: 12 * 3_600,
    heartbeatSeconds: 60,
  },
  'audit-partitions': {
    policy: 'short',
    retryLimit: 10,
    retryDelay: 30,
    retryBackoff: true,
    retryDelayMax: 3_600,
    expireInSeconds: 15 * 60,
  },
  'event-cleanup': {
    policy: 'short',
    retryLimit: 10,
    retryDelay: 30,
    retryBackoff: true,
    retryDelayMax: 3_600,
    expireInSeconds: 3_600,
    heartbeatSeconds: 60,
  },
  'idempotency-key-cleanup': {
    policy: 'short',
    retryLimit: 10,
    retryDelay: 30,
    retryBackoff: true,
    retryDelayMax: 3_600,
    expireInSeconds: 15 * 60,
  },
};
