import type { IncomingMessage, RequestListener } from 'node:http';
import { ProblemError } from '@profile-service/contracts';
import { invalid } from '../../handler/invalid.ts';
import type { OutboundBufferLimit } from '../../limits/outbound-buffer-limit.ts';
import type { Log } from '../../observability/log.ts';
import { problemOf } from '../../operation/problem.ts';
import type { LimitAddress } from './address-limit.ts';
import type { Cors } from './cors.ts';
import { Exchange } from './exchange.ts';
import { logRequest } from './request-log.ts';

/** Answers the requests that are its own and returns whether this was one. Throws ProblemErrors. */
export type Transport = (exchange: Exchange) => boolean | Promise<boolean>;

export interface ListenerOptions {
  /** Counts its requests against the limit of the address itself: a batch counts for several, and a refusal has tRPC's form. */
  trpc(exchange: Exchange): Promise<void>;
  rest: Transport;
  pages: Transport;
  limitAddress: LimitAddress;
  outboundBuffer: OutboundBufferLimit;
  cors: Cors;
  docsBase: string;
  log: Log;
}

const healthPaths = ['/health/live', '/health/ready'];

/** The path of every HTTP request: CORS, rate limit of the address, transport. Whatever is thrown becomes a problem document. */
export function createListener({ trpc, rest, pages, limitAddress, outboundBuffer, cors, docsBase, log }: ListenerOptions): RequestListener {
  async function answer(exchange: Exchange): Promise<void> {
    requireHost(exchange.request);
    const path = exchange.request.url ?? '';
    if (path.startsWith('/trpc/')) return trpc(exchange);
    // A health check must not fail because of other requests.
    if (!healthPaths.includes(path)) await limitAddress(exchange);
    if (await rest(exchange)) return;
    if (await pages(exchange)) return;
    throw new ProblemError('ROUTE_NOT_FOUND');
  }

  function refuse(exchange: Exchange, error: unknown): void {
    if (exchange.isAborted) return;
    try {
      exchange.sendProblem(problemOf(error), docsBase);
    } catch (fault) {
      log.error({ requestId: exchange.requestId, err: fault }, 'the response could not be sent');
      exchange.response.destroy();
    }
  }

  return (request, response) => {
    const exchange = new Exchange(request, response, outboundBuffer);
    response.once('close', () => {
      exchange.close();
      logRequest(log, exchange);
    });
    cors(exchange, () => void answer(exchange).catch((error: unknown) => refuse(exchange, error)));
  };
}

/** Refuses a request that names no host, or two (RFC 9112, 3.2). */
function requireHost({ headers: { host }, httpVersion }: IncomingMessage): void {
  if (host === undefined && httpVersion === '1.1') throw invalid('Host', 'The header is missing');
  if (host?.includes(',')) throw invalid('Host', 'The header is given more than once');
}
