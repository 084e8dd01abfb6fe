import { type ErrorCode, errors, errorsOf, type Problem, ProblemError, type Endpoint } from '@profile-service/contracts';
import { errorCodeOf, isUnavailable } from '@profile-service/db';

/** Transports may throw these for every endpoint. Endpoints need not declare them. */
const transportCodes: readonly ErrorCode[] = ['VALIDATION_FAILED', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'];

/**
 * Converts any error to a problem: a violated constraint to its code, an unreachable database to SERVICE_UNAVAILABLE. Every other error, and a code that the
 * endpoint does not declare, becomes INTERNAL_ERROR. The original error is its cause, for the log. Rules: ERRORS-3, ERRORS-6.
 */
export function problemOf(error: unknown, endpoint?: Endpoint): ProblemError {
  const problem = knownProblem(error);
  const isDeclared = problem && (!endpoint || errorsOf(endpoint).includes(problem.code) || transportCodes.includes(problem.code));
  return isDeclared ? problem : new ProblemError('INTERNAL_ERROR', { cause: error });
}

function knownProblem(error: unknown): ProblemError | undefined {
  if (error instanceof ProblemError) return error;
  const code = errorCodeOf(error);
  if (code) return new ProblemError(code, { cause: error });
  return isUnavailable(error) ? new ProblemError('SERVICE_UNAVAILABLE', { cause: error }) : undefined;
}

/** Creates the problem document (RFC 9457). @param docsBase URL of the service, whose page `/errors` explains the codes */
export function problemDocument(problem: ProblemError, requestId: string, docsBase: string): Problem {
  const { code, message, errors: fieldErrors } = problem;
  const { status, title } = errors[code];
  return {
    type: `${docsBase}/errors#${code}`,
    title,
    status,
    code,
    detail: message,
    instance: requestId,
    ...(fieldErrors ? { errors: fieldErrors } : {}),
  };
}

const retryAfterSeconds: Partial<Record<ErrorCode, string>> = {
  // The windows of the rate limits are one second long.
  RATE_LIMITED: '1',
  TOO_MANY_STREAMS: '5',
  IDEMPOTENCY_KEY_IN_PROGRESS: '1',
  SERVICE_UNAVAILABLE: '1',
  IDENTITY_PROVIDER_UNAVAILABLE: '5',
};

/** The response headers of a problem, over every transport. @param hasToken whether the request has a bearer token (RFC 6750, 3; ERRORS-7, ERRORS-8) */
export function problemHeaders(problem: ProblemError, hasToken: boolean): Record<string, string> {
  const retryAfter = retryAfterSeconds[problem.code];
  return {
    ...(problem.status === 401 ? { 'www-authenticate': hasToken ? 'Bearer error="invalid_token"' : 'Bearer' } : {}),
    ...(retryAfter ? { 'retry-after': retryAfter } : {}),
  };
}
