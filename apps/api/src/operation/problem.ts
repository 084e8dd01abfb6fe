import { type ErrorCode, errors, errorsOf, type Problem, ProblemError, type Endpoint } from '@profile-service/contracts';
import { errorCodeOf, isUnavailable } from '@profile-service/db';

/** What can be wrong with any request on its way in: a face may raise it for rows that declare none of it. */
const ofTheWire: readonly ErrorCode[] = ['VALIDATION_FAILED', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'];

/**
 * Turns whatever was thrown into a problem: a broken constraint into its code, a database out of reach into 503,
 * everything unforeseen (and any code that the row does not declare) into INTERNAL_ERROR with the cause for the log.
 */
export function problemOf(error: unknown, endpoint?: Endpoint): ProblemError {
  const problem = foreseen(error);
  const isForeseen = problem && (!endpoint || errorsOf(endpoint).includes(problem.code) || ofTheWire.includes(problem.code));
  return isForeseen ? problem : new ProblemError('INTERNAL_ERROR', { cause: error });
}

function foreseen(error: unknown): ProblemError | undefined {
  if (error instanceof ProblemError) return error;
  const code = errorCodeOf(error);
  if (code) return new ProblemError(code, { cause: error });
  return isUnavailable(error) ? new ProblemError('SERVICE_UNAVAILABLE', { cause: error }) : undefined;
}

/** The problem of a request that is not well-formed in one place. @param path of the field, empty where it is the whole */
export const invalid = (path: string, message: string, cause?: unknown): ProblemError =>
  new ProblemError('VALIDATION_FAILED', { errors: [{ path, message }], cause });

/** The document that a caller sees. @param docsBase address under which `/errors` explains the codes */
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
  // The limits' windows are of one second.
  RATE_LIMITED: '1',
  SERVICE_UNAVAILABLE: '1',
  IDENTITY_PROVIDER_UNAVAILABLE: '5',
};

/** The headers that belong to a problem, whichever face shows it. @param hasToken whether the request carried one (RFC 6750) */
export function problemHeaders(problem: ProblemError, hasToken: boolean): Record<string, string> {
  const retryAfter = retryAfterSeconds[problem.code];
  return {
    ...(problem.status === 401 ? { 'www-authenticate': hasToken ? 'Bearer error="invalid_token"' : 'Bearer' } : {}),
    ...(retryAfter ? { 'retry-after': retryAfter } : {}),
  };
}
