import { ProblemError } from '@profile-service/contracts';
import type { RequestHandler, Response } from 'express';
import type { Operation } from '../../request/operation.ts';
import { splitTarget } from '../http/request-target.ts';
import { send, sendJson, setHeaders } from '../http/send.ts';
import { RestRequest } from './rest-request.ts';
import { createRoutes } from './routes.ts';

/**
 * Creates the middleware of REST: it finds the endpoint by method and path, runs its operation and sends the output. It throws METHOD_NOT_ALLOWED for a known
 * path with another method, and what the operation throws. One route of Express for each endpoint would take more time than the operation.
 * @param maxBytes size limits of uploaded files
 */
export function createRest(operations: readonly Operation[], maxBytes: { attachments: number; imports: number }): RequestHandler {
  const routes = createRoutes(operations);

  return (request, response, next) => {
    const { method, url } = request;
    const { path, search } = splitTarget(url);
    const found = routes.find(method, path);
    if (!found) {
      const allowed = routes.methodsOf(path);
      if (allowed.length === 0) return next();
      response.setHeader('allow', allowed.join(', '));
      throw new ProblemError('METHOD_NOT_ALLOWED');
    }
    const { operation } = found.route;
    response.locals.context.operation = operation;
    const maxFileBytes = operation.name === 'imports.create' ? maxBytes.imports : maxBytes.attachments;
    return respond(response, operation, new RestRequest(request, response, found, search, maxFileBytes));
  };
}

async function respond(response: Response, operation: Operation, request: RestRequest): Promise<void> {
  const context = operation.createContext(request);
  response.locals.context.calls.push(context);
  const { status, headers, body } = await operation.run(context);
  // The last step has already sent the file, or the stream.
  if (['download', 'export', 'stream'].includes(operation.endpoint.media)) return;
  setHeaders(response, headers);
  if (body === undefined) send(response, status);
  else sendJson(response, status, body);
}
