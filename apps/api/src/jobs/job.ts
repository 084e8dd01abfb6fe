import type { IdentityProvider } from '@profile-service/auth';
import type { Database } from '@profile-service/db';
import type { StorageCleanupOptions } from '@profile-service/operations';
import type { Storage } from '@profile-service/storage';
import type { Queue } from 'pg-boss';
import type { Log } from '../observability/log.ts';
import type { ImportFiles } from '../request/files.ts';
import type { JobQueue } from '../request/job-queue.ts';
import type { WaitForEvents } from '../request/feed.ts';
import type { WebhookSettings } from '../request/webhook-settings.ts';

/** Work that is done once per deployment and outside a request. */
export interface Job<Data extends object = Record<never, never>> {
  /** The name of its queue, of its metrics and of its spans. */
  readonly name: string;
  /**
   * The retry policy, which a job copies when it is added.
   *
   * - The pause before a retry starts at `retryDelay` seconds and doubles with each attempt, up to `retryDelayMax`. A random time of up to the same length
   *   is added.
   * - A run whose process died is retried `expireInSeconds` after its start, or `heartbeatSeconds` after its last heartbeat.
   */
  readonly queue: Omit<Queue, 'name'>;
  /** Poll interval for due jobs, in seconds. A job that this process has added starts without waiting for the poll. */
  readonly pollSeconds: number;
  /** Makes the job recurring. A failed run is not retried, because the next one follows anyway. */
  readonly repeat?: { firstAfterSeconds: number; everySeconds: number };
  /** Set if a run lasts as long as the process. It has no trace, which would grow without end. */
  readonly isEndless?: true;
  /** Does the work once. A failed run is retried, so the work must be safe to repeat. @param data stored as JSON: use ids, and no personal data */
  run(data: Data, context: RunContext): Promise<void>;
}

/** What jobs use. */
export interface JobDependencies extends Pick<StorageCleanupOptions, 'onReport'> {
  database: Database;
  identity: IdentityProvider;
  storage: Storage;
  /** Prefix of every key in the storage, without a slash at its end. */
  basePath: string;
  /** How many days the rows of the journal are kept. */
  retentionDays: number;
  /** The secrets of webhooks, and the HTTP client that sends requests to them. */
  webhooks: Pick<WebhookSettings, 'secretBox' | 'client'>;
  /** How many requests of a webhook may run at once. */
  webhookConcurrency: number;
  /** Called after each attempt to send an event to a webhook, for the metrics. */
  onWebhookAttempt(outcome: 'DELIVERED' | 'FAILED' | 'PENDING'): void;
  events: WaitForEvents;
  /** Runs all imports until the signal is aborted. */
  runImports(jobs: JobQueue, signal: AbortSignal): Promise<void>;
  importFiles: ImportFiles;
  log: Log;
}

/** The second argument of a run. */
export interface RunContext extends JobDependencies {
  /** Adds further jobs. */
  jobs: JobQueue;
  /**
   * Aborted when the process stops, and when another process may run the job because heartbeats of this one were missing. A run that then throws is retried
   * after a restart or by another process.
   */
  signal: AbortSignal;
}

/** A job with any data. */
export type AnyJob = Job<never>;

/** Declares a job. `jobs/index.ts` lists all. */
export const defineJob = <Data extends object>(job: Job<Data>): Job<Data> => job;

/** The retry policy of a recurring job. `short`: at most one waits, although every instance schedules it. */
export const recurring = { policy: 'short', retryLimit: 10, retryDelay: 30, retryBackoff: true, retryDelayMax: 3_600 } as const;
