import type { ErrorShape, ProblemError } from '@profile-service/contracts';
import { TRPC_ERROR_CODES_BY_KEY, type TRPC_ERROR_CODE_KEY } from '@trpc/server/rpc';
import { problemDocument } from '../../request/problem.ts';

/** tRPC has no code for some statuses, such as 410. Their code is that of 400 or 500: `httpStatus` has the status. */
const codeByStatus: Record<number, TRPC_ERROR_CODE_KEY> = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_SUPPORTED',
  409: 'CONFLICT',
  412: 'PRECONDITION_FAILED',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  422: 'UNPROCESSABLE_CONTENT',
  429: 'TOO_MANY_REQUESTS',
  500: 'INTERNAL_SERVER_ERROR',
  503: 'SERVICE_UNAVAILABLE',
};

/** Converts a problem to tRPC's error, which contains the problem document. @param path name of the procedure; undefined if the whole request is invalid */
export function errorOf(problem: ProblemError, path: string | undefined, requestId: string, docsBase: string): ErrorShape {
  const { status, message } = problem;
  // tRPC's subscriptions connect again after 500, as if the error were temporary.
  const code = codeByStatus[status] ?? (status < 500 ? 'BAD_REQUEST' : 'INTERNAL_SERVER_ERROR');
  return {
    message,
    code: TRPC_ERROR_CODES_BY_KEY[code],
    data: {
      code,
      httpStatus: status,
      ...(path === undefined ? {} : { path }),
      problem: problemDocument(problem, requestId, docsBase),
    },
  };
}
