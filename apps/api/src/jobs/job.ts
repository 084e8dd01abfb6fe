import type { JobData, JobName } from '@profile-service/db';

/** What is done once per deployment outside a request. `packages/db/src/jobs/queues.ts` holds its retry policy. */
export interface Job<Name extends JobName = JobName> {
  name: Name;
  /** Does the work once. A failed run is retried, so the work must be safe to repeat. */
  run(data: JobData[Name], context: RunContext): Promise<void>;
  /** How often a process looks for due jobs that no process was told of, in seconds. */
  pollSeconds: number;
  /** For a job that comes back by itself. A failed run is not retried then: the next one is due anyway. */
  repeat?: { firstAfterSeconds: number; everySeconds: number };
}

export interface RunContext {
  /** Aborted when the process stops. A run that throws then is retried, by this or another process. */
  signal: AbortSignal;
}

/** A job as the runner keeps it among others. */
export type AnyJob = { [Name in JobName]: Job<Name> }[JobName];
