import { ProblemError } from '@profile-service/contracts';
import type { ErrorRequestHandler, RequestHandler, Response } from 'express';
import type { Log } from '../../observability/log.ts';
import { problemOf } from '../../request/problem.ts';
import { sendProblem } from './send.ts';

/** The last middleware. @throws ROUTE_NOT_FOUND */
export const notFound: RequestHandler = () => {
  throw new ProblemError('ROUTE_NOT_FOUND');
};

/** The handler of the other methods of a page. @throws METHOD_NOT_ALLOWED */
export const methodNotAllowed: RequestHandler = (_request, response) => {
  response.setHeader('allow', 'GET, HEAD');
  throw new ProblemError('METHOD_NOT_ALLOWED');
};

/**
 * Creates the error handler: it turns every error into a problem document.
 * @param docsBase URL of the service, for the `type` of problem documents
 */
export function createErrorHandler(docsBase: string, log: Log): ErrorRequestHandler {
  // Express recognizes an error handler by its four parameters.
  return (error: unknown, _request, response: Response, _next) => {
    const { context } = response.locals;
    if (context.isAborted) return;
    try {
      sendProblem(response, problemOf(error), docsBase);
    } catch (failure) {
      log.error({ requestId: context.requestId, err: failure }, 'the response could not be sent');
      response.destroy();
    }
  };
}
