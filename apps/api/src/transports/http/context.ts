import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Caller } from '@profile-service/auth';
import type { ProblemError } from '@profile-service/contracts';
import type { RequestHandler } from 'express';
import type { OutboundBufferLimit } from '../../request/limits/outbound-buffer-limit.ts';
import type { RateLimitStatus } from '../../request/limits/rate-limit.ts';
import type { RateLimitedRequest } from '../../request/limits/rate-limits.ts';
import type { RequestContext } from '../../request/context.ts';
import type { Operation } from '../../request/operation.ts';
import { RequestAbort } from '../../request/request-abort.ts';

/** The state of one HTTP request, which the middlewares share as `response.locals.context`. */
export class HttpContext implements RateLimitedRequest {
  /** The X-Request-Id of the client if it is well-formed, otherwise a new one. Every response has it. */
  readonly requestId: string;
  readonly outboundBuffer: OutboundBufferLimit;
  readonly startedAt = performance.now();
  /** Aborted when the client disconnects before it has its response. */
  readonly abort = new RequestAbort();
  /** The rate limit of the address. */
  rateLimit: RateLimitStatus | undefined;
  /** The operation of the request; undefined for a batch and for an unknown path. */
  operation: Operation | undefined;
  /** The contexts of the operations that the request calls: several in a tRPC batch. */
  readonly calls: RequestContext[] = [];
  /** The problem that the response reports. */
  problem: ProblemError | undefined;
  /** Whether the request was rejected before its caller was known, because the service is overloaded. It is not logged then. */
  isRejectedEarly = false;
  /** Whether the response was sent while the request was still arriving. */
  lingers = false;

  constructor(requestId: string, outboundBuffer: OutboundBufferLimit) {
    this.requestId = requestId;
    this.outboundBuffer = outboundBuffer;
  }

  /** Undefined until a caller was loaded. */
  get caller(): Caller | undefined {
    return this.calls.findLast(({ caller }) => caller)?.caller;
  }

  /** The rate limit that the response describes: the strictest one. */
  get strictestRateLimit(): RateLimitStatus | undefined {
    return this.calls.findLast((call) => call.rateLimit)?.rateLimit ?? this.rateLimit;
  }

  /** Whether the client disconnected before it had its response. */
  get isAborted(): boolean {
    return this.abort.reason !== undefined;
  }
}

/** Creates the context of each request, and sets the header X-Request-Id of its response. */
export const createContext =
  (outboundBuffer: OutboundBufferLimit): RequestHandler =>
  (request, response, next) => {
    const context = new HttpContext(requestIdOf(request), outboundBuffer);
    response.locals.context = context;
    response.setHeader('x-request-id', context.requestId);
    next();
  };

/** Returns the X-Request-Id of the client if it is well-formed, otherwise a new one. */
export function requestIdOf({ headers: { 'x-request-id': received } }: IncomingMessage): string {
  return typeof received === 'string' && /^[\w.:-]{1,64}$/.test(received) ? received : randomUUID();
}
