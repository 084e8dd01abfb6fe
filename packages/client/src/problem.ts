import type { Problem } from '@profile-service/contracts';

/** Thrown by uploads and downloads for an error response. */
export class ProfileResponseError extends Error {
  readonly status: number;
  /** Undefined if a proxy responded instead of the service. */
  readonly problem: Problem | undefined;
  /** Seconds to wait before the next attempt, if the response states them. */
  readonly retryAfter: number | undefined;

  constructor(status: number, problem: Problem | undefined, retryAfter: number | undefined) {
    super(problem?.detail ?? `The service responded with status ${status}`);
    this.name = 'ProfileResponseError';
    this.status = status;
    this.problem = problem;
    this.retryAfter = retryAfter;
  }
}

/** Builds the error for a response. @param header returns a header of the response */
export function toResponseError(status: number, header: (name: string) => string | null, body: string): ProfileResponseError {
  const isProblem = header('content-type')?.startsWith('application/problem+json');
  return new ProfileResponseError(status, isProblem ? (JSON.parse(body) as Problem) : undefined, parseRetryAfter(header('retry-after')));
}

/** Parses the number of seconds in Retry-After. Returns undefined for a date, which the service does not send. */
export function parseRetryAfter(value: string | null | undefined): number | undefined {
  return value && /^\d+$/.test(value) ? Number(value) : undefined;
}

/** Returns the problem document of an error that a procedure, an upload or a download of this client threw. */
export function problemOf(error: unknown): Problem | undefined {
  if (error instanceof ProfileResponseError) return error.problem;
  return (error as { data?: { problem?: Problem } | null } | undefined)?.data?.problem;
}
