import type { Queue } from 'pg-boss';

/** The schema that holds the job queue's tables. The migration command creates it; the library pg-boss owns what is in it. */
export const jobSchema = 'pgboss';

/** Every job by name, with the data that a run needs. Data is stored as JSON: keep ids in it, no personal data. */
export interface JobData {
  'password-mail': { userId: string };
  'storage-cleanup': Record<string, never>;
}

export type JobName = keyof JobData;

/**
 * How each job is retried. The migration command writes these values to the database, and a job takes a copy when it is added.
 *
 * - The pause before a retry starts at `retryDelay` seconds, doubles with each attempt, and is `retryDelayMax` at most. Up to as much again is added at random.
 * - A run whose process died is retried `expireInSeconds` after its start, or `heartbeatSeconds` after the process's last sign of life.
 */
export const queues: Record<JobName, Omit<Queue, 'name'>> = {
  // 30 retries: 7 pauses from 30 s to 32 min and 23 pauses of an hour, so a mail is given up after 24 to 25 hours.
  'password-mail': { retryLimit: 30, retryDelay: 30, retryBackoff: true, retryDelayMax: 3_600, expireInSeconds: 60 },
  // `short`: one waiting job at most, so that many instances schedule one. A round of a large storage can take hours.
  'storage-cleanup': {
    policy: 'short',
    retryLimit: 10,
    retryDelay: 30,
    retryBackoff: true,
    retryDelayMax: 3_600,
    expireInSeconds: 12 * 3_600,
    heartbeatSeconds: 60,
  },
};
