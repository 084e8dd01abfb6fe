import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Caller } from '@profile-service/auth';
import type { ProblemError } from '@profile-service/contracts';
import { tenantKey } from '../../request/limits/keys.ts';
import type { OutboundBufferLimit } from '../../request/limits/outbound-buffer-limit.ts';
import type { RateLimitStatus } from '../../request/limits/rate-limit.ts';
import { type RateLimitedRequest, rateLimitHeaders } from '../../request/limits/rate-limits.ts';
import type { RequestContext } from '../../request/context.ts';
import { EncodedJson } from '../../request/encoded-json.ts';
import type { Operation } from '../../request/operation.ts';
import { problemDocument, problemHeaders } from '../../request/problem.ts';
import { RequestAbort } from '../../request/request-abort.ts';
import { hasBody } from './body-head.ts';
import { bytesPerTurn, writeLargeBody } from './large-body.ts';
import { endAfterRequest } from './lingering-close.ts';
import { securityHeaders } from './security-headers.ts';

/** A response body; a large one is in chunks. */
type Body = string | Buffer | readonly Buffer[];

/** One HTTP request and its response. */
export class Exchange implements RateLimitedRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The X-Request-Id of the client if it is well-formed, otherwise a new one. Every response has it. */
  readonly requestId: string;
  readonly startedAt = performance.now();
  /** Aborted when the client disconnects before it has its response. */
  readonly abort = new RequestAbort();
  /** The rate limit of the address. */
  rateLimit: RateLimitStatus | undefined;
  /** The operation of the request; undefined for a batch and for an unknown path. */
  operation: Operation | undefined;
  /** The problem that the response reports. */
  problem: ProblemError | undefined;
  /** Whether the request was rejected before its caller was known, because the service is overloaded. It is not logged then. */
  isShed = false;

  readonly #outboundBuffer: OutboundBufferLimit;
  readonly #headers: Record<string, string | number>;
  /** One context for each operation that the request calls: several in a tRPC batch. */
  readonly #contexts: RequestContext[] = [];
  /** Whether the response was sent while the request was still arriving. */
  #lingers = false;

  constructor(request: IncomingMessage, response: ServerResponse, outboundBuffer: OutboundBufferLimit) {
    this.request = request;
    this.response = response;
    this.#outboundBuffer = outboundBuffer;
    this.requestId = requestIdOf(request);
    this.#headers = { ...securityHeaders, 'x-request-id': this.requestId };
  }

  /** Adds the context of an operation: the response gets its headers. */
  addContext(context: RequestContext): void {
    this.#contexts.push(context);
  }

  /** Undefined until a caller was loaded. */
  get caller(): Caller | undefined {
    return this.#contexts.findLast(({ caller }) => caller)?.caller;
  }

  /** Whether the request has a bearer token. */
  get hasToken(): boolean {
    return /^Bearer +\S/i.test(this.request.headers.authorization ?? '');
  }

  /** Whether the client disconnected before it had its response. */
  get isAborted(): boolean {
    return this.abort.reason !== undefined;
  }

  /** Called when the response is closed. */
  onClose(): void {
    if (!this.response.writableFinished && !this.#lingers) this.abort.abort();
  }

  /** Sets a header of the response. @param name in lower case */
  setHeader(name: string, value: string): void {
    this.#headers[name] = value;
  }

  /** Copies the headers set so far to the response, for code that writes to the response directly. */
  applyHeaders(): void {
    this.#addRateLimit();
    for (const [name, value] of Object.entries(this.#headers)) this.response.setHeader(name, value);
  }

  setHeaders(headers: Readonly<Record<string, string | number>>): void {
    Object.assign(this.#headers, headers);
  }

  /** Sends status and headers of a response whose body follows. */
  sendHead(status: number, headers: Readonly<Record<string, string | number>> = {}): void {
    this.#addRateLimit();
    this.setHeaders(headers);
    this.response.writeHead(status, this.#headers);
  }

  #addRateLimit(): void {
    const rateLimit = this.#contexts.findLast((context) => context.rateLimit)?.rateLimit ?? this.rateLimit;
    if (rateLimit) this.setHeaders(rateLimitHeaders(rateLimit));
  }

  /** Sends a whole response. It counts against the outbound buffer limit of the caller's tenant until the client has received it. */
  send(status: number, body: Body = ''): void {
    const { request, response, caller } = this;
    const bytes = byteLength(body);
    this.sendHead(status, status === 204 || status === 304 ? {} : { 'content-length': bytes });
    const [head, last] = splitLast(body);
    const end = () => {
      this.#lingers = !request.complete && hasBody(request);
      if (this.#lingers) endAfterRequest(request, response, last);
      else response.end(last);
    };
    if (head.length > 0 && bytes > bytesPerTurn) writeLargeBody(response, head).then(end, () => undefined);
    else {
      for (const chunk of head) response.write(chunk);
      end();
    }
    if (bytes > 0) this.#outboundBuffer.track(response, bytes, caller && tenantKey(caller));
  }

  sendJson(status: number, body: unknown, type = 'application/json'): void {
    this.setHeader('content-type', type);
    this.send(status, body instanceof EncodedJson ? body.chunks : JSON.stringify(body));
  }

  /** Sends a problem document (RFC 9457). If a response has already begun, closes its connection instead. */
  sendProblem(problem: ProblemError, docsBase: string): void {
    this.problem = problem;
    if (this.response.headersSent) return void this.response.destroy();
    this.setHeaders(problemHeaders(problem, this.hasToken));
    this.sendJson(problem.status, problemDocument(problem, this.requestId, docsBase), 'application/problem+json');
  }
}

/** Returns the X-Request-Id of the client if it is well-formed, otherwise a new one. */
export function requestIdOf({ headers: { 'x-request-id': received } }: IncomingMessage): string {
  return typeof received === 'string' && /^[\w.:-]{1,64}$/.test(received) ? received : randomUUID();
}

const isChunked = (body: Body): body is readonly Buffer[] => Array.isArray(body);

const byteLength = (body: Body): number =>
  isChunked(body) ? body.reduce((total, chunk) => total + chunk.length, 0) : Buffer.byteLength(body);

function splitLast(body: Body): [head: readonly Buffer[], last: string | Buffer] {
  return isChunked(body) ? [body.slice(0, -1), body.at(-1) ?? ''] : [[], body];
}
