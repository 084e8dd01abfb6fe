import type { Tracing } from '../../observability/tracing/tracing.ts';
import type { Exchange } from './exchange.ts';

/** Runs a request in its span. @param close called when the response is closed */
export type TraceRequest = (exchange: Exchange, respond: () => void, close: () => void) => void;

/** Creates the function that runs requests in spans. Lines that the request logs have the ids of its span. */
export const createRequestTracer =
  (tracing: Pick<Tracing, 'startRequest'>): TraceRequest =>
  (exchange, respond, close) => {
    const { request, response } = exchange;
    const span = tracing.startRequest({
      method: request.method ?? '',
      protocolVersion: request.httpVersion,
      traceparent: request.headers['traceparent']?.toString(),
    });
    response.once('close', () => {
      span.run(close);
      const { isAborted, problem } = exchange;
      span.end({ route: routeOf(exchange), status: isAborted ? undefined : response.statusCode, code: problem?.code });
    });
    span.run(respond);
  };

/** The path of the endpoint. Over tRPC, that of the procedure; of a batch, `/trpc`. */
function routeOf({ request, operation }: Exchange): string | undefined {
  if (!request.url?.startsWith('/trpc/')) return operation?.endpoint.path;
  return operation ? `/trpc/${operation.name}` : '/trpc';
}
