import { isUnavailable } from '@profile-service/db';
import type { Log } from '../observability/log.ts';

/** Logs an outage of the job queue: one line when it begins and one when it ends. */
export class OutageReport {
  readonly #log: Log;
  #since: number | undefined;

  constructor(log: Log) {
    this.#log = log;
  }

  begin(error: unknown): void {
    if (this.#since !== undefined) return;
    this.#since = performance.now();
    this.#log.warn({ reason: reasonOf(error) }, 'jobs are paused: the job queue cannot use the database');
  }

  end(): void {
    if (this.#since === undefined) return;
    const seconds = Math.round((performance.now() - this.#since) / 1000);
    this.#since = undefined;
    this.#log.info({ seconds }, 'jobs run again');
  }

  /** Whether an error belongs to an outage: one has begun, or the database is unreachable. pg-boss emits some errors as plain objects. */
  covers(error: unknown): boolean {
    return this.#since !== undefined || isUnavailable(error instanceof Error ? error : Object.assign(new Error(String(error)), error));
  }
}

/** Describes an error in one line. If the error wraps another, describes the inner one. */
export function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  return cause instanceof AggregateError ? String(cause.errors[0]) : String(cause);
}
