import type { IncomingMessage, RequestListener } from 'node:http';
import { ProblemError } from '@profile-service/contracts';
import { validationFailed } from '../../request/validation-failed.ts';
import type { OutboundBufferLimit } from '../../request/limits/outbound-buffer-limit.ts';
import type { Log } from '../../observability/log.ts';
import { problemOf } from '../../request/problem.ts';
import type { LimitAddress } from './address-limit.ts';
import type { Cors } from './cors.ts';
import { Exchange } from './exchange.ts';
import { logRequest } from './request-log.ts';
import type { TraceRequest } from './trace-request.ts';

/** Responds to a request that belongs to the transport. @returns whether it did @throws ProblemError */
export type Transport = (exchange: Exchange) => boolean | Promise<boolean>;

export interface ListenerOptions {
  /** Applies the rate limit of the address itself: a batch counts as several requests, and the 429 response has tRPC's format. */
  trpc(exchange: Exchange): Promise<void>;
  rest: Transport;
  pages: Transport;
  limitAddress: LimitAddress;
  outboundBuffer: OutboundBufferLimit;
  cors: Cors;
  docsBase: string;
  log: Log;
  /** Undefined if tracing is off. */
  trace?: TraceRequest | undefined;
}

const healthPaths = ['/health/live', '/health/ready'];

/** Creates the listener that every HTTP request passes: CORS, rate limit of the address, transport. Every error becomes a problem document. */
export function createListener(options: ListenerOptions): RequestListener {
  const { trpc, rest, pages, limitAddress, outboundBuffer, cors, docsBase, log, trace } = options;

  async function respond(exchange: Exchange): Promise<void> {
    requireHost(exchange.request);
    const path = exchange.request.url ?? '';
    if (path.startsWith('/trpc/')) return trpc(exchange);
    // A health check must not fail because of other requests.
    if (!healthPaths.includes(path)) limitAddress(exchange);
    if (await rest(exchange)) return;
    if (await pages(exchange)) return;
    throw new ProblemError('ROUTE_NOT_FOUND');
  }

  function sendError(exchange: Exchange, error: unknown): void {
    if (exchange.isAborted) return;
    try {
      exchange.sendProblem(problemOf(error), docsBase);
    } catch (failure) {
      log.error({ requestId: exchange.requestId, err: failure }, 'the response could not be sent');
      exchange.response.destroy();
    }
  }

  return (request, response) => {
    const exchange = new Exchange(request, response, outboundBuffer);
    const start = () => cors(exchange, () => void respond(exchange).catch((error: unknown) => sendError(exchange, error)));
    const close = () => {
      exchange.onClose();
      logRequest(log, exchange);
    };
    // Load balancers send health checks all the time.
    if (trace && !healthPaths.includes(request.url ?? '')) return trace(exchange, start, close);
    response.once('close', close);
    start();
  };
}

/** Rejects a request without a Host header, or with two (RFC 9112, 3.2). */
function requireHost({ headers: { host }, httpVersion }: IncomingMessage): void {
  if (host === undefined && httpVersion === '1.1') throw validationFailed('Host', 'The header is missing');
  if (host?.includes(',')) throw validationFailed('Host', 'The header occurs more than once');
}
