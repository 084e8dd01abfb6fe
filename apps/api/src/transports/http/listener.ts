import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { ProblemError } from '@profile-service/contracts';
import createCors from 'cors';
import { invalid, problemOf } from '../../operation/problem.ts';
import { type Log, logExchange } from '../../observability/log.ts';
import type { OutboundBufferLimit } from '../../limits/outbound-buffer-limit.ts';
import type { LimitAddress } from './address-limit.ts';
import { beginExchange, type Exchange, sendProblem } from './exchange.ts';
import type { RestTransport } from '../rest/rest.ts';
import { securityHeaders } from './security-headers.ts';
import type { TrpcTransport } from '../trpc/trpc.ts';

/** Answers what is no operation: health, docs, errors; false where the path is none of its own. */
export type Pages = (request: IncomingMessage, response: ServerResponse) => Promise<boolean>;

export interface ListenerOptions {
  rest: RestTransport;
  trpc: TrpcTransport;
  pages: Pages;
  admit: LimitAddress;
  outboundBuffer: OutboundBufferLimit;
  corsOrigins: readonly string[];
  docsBase: string;
  log: Log;
}

const healthPaths = ['/health/live', '/health/ready'];

/** What every request goes through, whichever face it is for. */
export function createListener({ rest, trpc, pages, admit, outboundBuffer, corsOrigins, docsBase, log }: ListenerOptions): RequestListener {
  const cors = createCors({
    origin: corsOrigins.includes('*') ? '*' : [...corsOrigins],
    methods: ['GET', 'POST', 'PUT', 'DELETE'],
    allowedHeaders: ['authorization', 'content-type', 'if-none-match', 'if-range', 'range', 'x-tenant-id', 'x-request-id'],
    exposedHeaders: [
      'accept-ranges',
      'content-disposition',
      'content-range',
      'etag',
      'ratelimit',
      'ratelimit-policy',
      'retry-after',
      'www-authenticate',
      'x-request-id',
    ],
    maxAge: 600,
  });

  async function answer(request: IncomingMessage, exchange: Exchange): Promise<void> {
    refuseHost(request);
    const path = request.url ?? '';
    if (path.startsWith('/trpc/')) return trpc.handle(request, exchange);
    // Whoever watches the health must not be told that the service is down.
    if (!healthPaths.includes(path)) await admit(request, exchange);
    if (await rest.handle(request, exchange)) return;
    if (await pages(request, exchange.response)) return;
    throw new ProblemError('ROUTE_NOT_FOUND');
  }

  return (request, response) => {
    const exchange = beginExchange(request, response, outboundBuffer);
    response.once('close', () => logExchange(log, exchange, request.method ?? ''));
    for (const [name, value] of securityHeaders) response.setHeader(name, value);
    const run = () =>
      void answer(request, exchange)
        .catch((error: unknown) => sendProblem(exchange, problemOf(error), docsBase))
        .catch((error: unknown) => {
          // An unhandled rejection would end the process.
          log.error({ requestId: exchange.requestId, err: error }, 'the response could not be sent');
          response.destroy();
        });
    // Closed by default: without an allow-list no answer names an origin.
    if (request.headers.origin === undefined || corsOrigins.length === 0) run();
    else cors(request, response, run);
  };
}

/** RFC 9112 3.2 wants the refusal of a request that names no host, or two. */
function refuseHost({ headers: { host }, httpVersion }: IncomingMessage): void {
  if (host === undefined && httpVersion === '1.1') throw invalid('Host', 'The header is not there');
  if (host?.includes(',')) throw invalid('Host', 'Given more than once');
}
