import { type ErrorCode, ProblemError } from '@profile-service/contracts';
import { type TRPC_ERROR_CODE_KEY, TRPCError } from '@trpc/server';

const trpcCodes: Record<number, TRPC_ERROR_CODE_KEY> = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_SUPPORTED',
  409: 'CONFLICT',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  429: 'TOO_MANY_REQUESTS',
  500: 'INTERNAL_SERVER_ERROR',
  503: 'SERVICE_UNAVAILABLE',
};

/** This service's codes for the errors that tRPC itself raises. */
const ownCodes: Partial<Record<TRPC_ERROR_CODE_KEY, ErrorCode>> = {
  PARSE_ERROR: 'VALIDATION_FAILED',
  BAD_REQUEST: 'VALIDATION_FAILED',
  NOT_FOUND: 'ROUTE_NOT_FOUND',
  METHOD_NOT_SUPPORTED: 'METHOD_NOT_ALLOWED',
};

/** Converts a problem to an error of tRPC. */
export const trpcError = (problem: ProblemError): TRPCError =>
  new TRPCError({ code: trpcCodes[problem.status] ?? 'INTERNAL_SERVER_ERROR', message: problem.message, cause: problem });

/** Converts an error of tRPC to a problem: the problem that caused it, or one for an error that tRPC itself raised. */
export function problemOfTrpc(error: TRPCError): ProblemError {
  if (error.cause instanceof ProblemError) return error.cause;
  const code = ownCodes[error.code] ?? 'INTERNAL_ERROR';
  const errors = error.code === 'BAD_REQUEST' ? [{ path: '', message: error.message }] : undefined;
  return new ProblemError(code, { cause: error, ...(errors ? { errors } : {}) });
}

/** Rethrows an error; a problem as an error of tRPC. */
export const throwAsTrpc = (problem: unknown): never => {
  throw problem instanceof ProblemError ? trpcError(problem) : problem;
};
