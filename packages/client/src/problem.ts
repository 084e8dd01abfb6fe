import type { Problem } from '@profile-service/contracts';

/** Thrown by uploads and downloads for an error response. */
export class ProfileResponseError extends Error {
  readonly status: number;
  /** Undefined if a proxy responded instead of the service. */
  readonly problem: Problem | undefined;

  constructor(status: number, problem: Problem | undefined) {
    super(problem?.detail ?? `The service responded with status ${status}`);
    this.name = 'ProfileResponseError';
    this.status = status;
    this.problem = problem;
  }
}

/** Builds the error for a response. */
export function toResponseError(status: number, contentType: string | null, body: string): ProfileResponseError {
  const isProblem = contentType?.startsWith('application/problem+json');
  return new ProfileResponseError(status, isProblem ? (JSON.parse(body) as Problem) : undefined);
}

/** Returns the problem document of an error that a procedure, an upload or a download of this client threw. */
export function problemOf(error: unknown): Problem | undefined {
  if (error instanceof ProfileResponseError) return error.problem;
  return (error as { data?: { problem?: Problem } | null } | undefined)?.data?.problem;
}
