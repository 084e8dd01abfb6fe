import type { Problem } from '@profile-service/contracts';

/** An answer of the service that is no success, from an upload or a download. */
export class ProfileResponseError extends Error {
  readonly status: number;
  /** Absent where the answer is not the service's own, but that of a proxy before it. */
  readonly problem: Problem | undefined;

  constructor(status: number, problem: Problem | undefined) {
    super(problem?.detail ?? `The service answered ${status}`);
    this.name = 'ProfileResponseError';
    this.status = status;
    this.problem = problem;
  }
}

/** Makes the error of an answer from its status, its content type and its body. */
export function errorOf(status: number, contentType: string | null, body: string): ProfileResponseError {
  const isProblem = contentType?.startsWith('application/problem+json');
  return new ProfileResponseError(status, isProblem ? (JSON.parse(body) as Problem) : undefined);
}

/** The problem document that an error of this client carries, whether a procedure, an upload or a download threw it. */
export function problemOf(error: unknown): Problem | undefined {
  if (error instanceof ProfileResponseError) return error.problem;
  return (error as { data?: { problem?: Problem } | null } | undefined)?.data?.problem;
}
