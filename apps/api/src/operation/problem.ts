import { type ErrorCode, errors, errorsOf, type Problem, ProblemError, type Endpoint } from '@profile-service/contracts';
import { errorCodeOf, isUnavailable } from '@profile-service/db';

/** A transport may raise these for any endpoint, declared or not. */
const transportCodes: readonly ErrorCode[] = ['VALIDATION_FAILED', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'];

/**
 * Turns whatever was thrown into a problem: a violated constraint into its code, an unreachable database into 503. Everything else, and any code that the
 * endpoint does not declare, becomes INTERNAL_ERROR with the cause for the log.
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

/** The problem document of RFC 9457. @param docsBase address of the service, where `/errors` explains the codes */
export function problemDocument(problem: ProblemError, requestId: string, docsBase: string): Problem {
  const { code, message, errors: faults } = problem;
  const { status, title } = errors[code];
  return {
    type: `${docsBase}/errors#${code}`,
    title,
    status,
    code,
    detail: message,
    instance: requestId,
    ...(faults ? { errors: faults } : {}),
  };
}

const retryAfterSeconds: Partial<Record<ErrorCode, string>> = {
  // The windows of the rate limits are one second long.
  RATE_LIMITED: '1',
  SERVICE_UNAVAILABLE: '1',
  IDENTITY_PROVIDER_UNAVAILABLE: '5',
};

/** The headers of a problem, over every transport. @param hasToken whether the request carried a bearer token (RFC 6750) */
export function problemHeaders(problem: ProblemError, hasToken: boolean): Record<string, string> {
  const retryAfter = retryAfterSeconds[problem.code];
  return {
    ...(problem.status === 401 ? { 'www-authenticate': hasToken ? 'Bearer error="invalid_token"' : 'Bearer' } : {}),
    ...(retryAfter ? { 'retry-after': retryAfter } : {}),
  };
}
