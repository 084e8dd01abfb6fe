import type { JobData, JobName } from '@profile-service/db';

/** Work that is done once per deployment and outside a request. Its retry policy is in `packages/db/src/jobs/queues.ts`. */
export interface Job<Name extends JobName = JobName> {
  name: Name;
  /** Does the work once. A failed run is retried, so the work must be safe to repeat. */
  run(data: JobData[Name], context: RunContext): Promise<void>;
  /** Poll interval for due jobs, in seconds. A job that this process has added starts without waiting for the poll. */
  pollSeconds: number;
  /** Makes the job recurring. A failed run is not retried, because the next one follows anyway. */
  repeat?: { firstAfterSeconds: number; everySeconds: number };
}

/** The second argument of a run. */
export interface RunContext {
  /** Aborted when the process stops. A run that then throws is retried after a restart or by another process. */
  signal: AbortSignal;
}

/** A job with any name. */
export type AnyJob = { [Name in JobName]: Job<Name> }[JobName];
