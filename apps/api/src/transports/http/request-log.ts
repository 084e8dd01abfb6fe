import type { IncomingMessage } from 'node:http';
import { activeTenantId } from '@profile-service/auth';
import type { ProblemError } from '@profile-service/contracts';
import type { RequestHandler, Response } from 'express';
import type { Log } from '../../observability/log.ts';
import type { Tracing } from '../../observability/tracing/tracing.ts';

const healthPaths = ['/health/live', '/health/ready'];

/**
 * Creates the middleware that logs each request when its response is closed, and aborts what runs for a client that has disconnected.
 * @param tracing requests run in spans, except health checks, which load balancers send all the time; undefined if tracing is off
 */
export function createRequestLog(log: Log, tracing: Pick<Tracing, 'startRequest'> | undefined): RequestHandler {
  function close(this: Response): void {
    const { context } = this.locals;
    if (!this.writableFinished && !context.lingers) context.abort.abort();
    if (!context.isRejectedEarly) logRequest(log, this);
  }

  return (request, response, next) => {
    if (!tracing || healthPaths.includes(request.url)) {
      response.on('close', close);
      return next();
    }
    const span = tracing.startRequest({
      method: request.method,
      protocolVersion: request.httpVersion,
      traceparent: request.headers['traceparent']?.toString(),
    });
    response.on('close', () => {
      // The line has the ids of the span.
      span.run(() => close.call(response));
      const { isAborted, problem } = response.locals.context;
      span.end({ route: routeOf(response), status: isAborted ? undefined : response.statusCode, code: problem?.code });
    });
    span.run(next);
  };
}

/** The path of the endpoint. Over tRPC, that of the procedure; of a batch, `/trpc`. */
function routeOf({ req: request, locals: { context } }: Response): string | undefined {
  const { operation } = context;
  if (!request.url.startsWith('/trpc/')) return operation?.endpoint.path;
  return operation ? `/trpc/${operation.name}` : '/trpc';
}

/**
 * Logs one line: caller, operation and outcome. It never contains a token, an address or personal data. Successful health checks, which a platform
 * sends every second, are logged at the level debug.
 */
function logRequest(log: Log, response: Response): void {
  const { req: request, locals } = response;
  const { requestId, operation, caller, problem, startedAt, isAborted } = locals.context;
  const line = {
    requestId,
    operation: operation?.name,
    method: request.method,
    route: operation?.endpoint.path,
    caller: caller?.kind === 'user' ? caller.userId : caller?.clientId,
    tenant: caller && (activeTenantId(caller) ?? undefined),
    // A client that disconnected has received no status.
    status: isAborted ? undefined : response.statusCode,
    aborted: isAborted ? true : undefined,
    code: problem?.code,
    durationMs: Math.round((performance.now() - startedAt) * 10) / 10,
  };
  if (problem?.status === 500) log.error({ ...line, err: problem.cause }, 'request');
  else if (problem?.status === 503) log.warn({ ...line, reason: reasonOf(problem) }, 'request');
  else if (isHealthCheck(request)) log.debug(line, 'request');
  else log.info(line, 'request');
}

const isHealthCheck = ({ url = '' }: IncomingMessage): boolean => url.startsWith('/health/');

/** A failure of a dependency has the original error as its cause. An overload has none. */
const reasonOf = ({ cause, message }: ProblemError): string => (cause instanceof Error ? String(cause) : message);
