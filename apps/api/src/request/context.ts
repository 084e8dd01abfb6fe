import type { Caller } from '@profile-service/auth';
import type { Endpoint } from '@profile-service/contracts';
import type { Logger } from 'pino';
import type { Tracing } from '../observability/tracing/tracing.ts';
import type { ApiRequest } from './api-request.ts';
import type { RawInput } from './input.ts';
import type { RateLimitStatus } from './limits/rate-limit.ts';

/** What all requests share. */
export interface ContextOptions {
  log: Logger;
  /** Undefined if tracing is off. */
  tracing?: Pick<Tracing, 'inSpan'> | undefined;
}

/** One call of an operation, and what is known about it so far: the log, the rate limit headers and the record of a rejection need it also after a failure. */
export class RequestContext {
  readonly operation: string;
  readonly endpoint: Endpoint;
  readonly request: ApiRequest;
  /** Undefined if tracing is off. A stream, which runs for minutes, switches it off after its first page. */
  tracing: Pick<Tracing, 'inSpan'> | undefined;
  /** How long the call has waited for events, in milliseconds. The metrics leave it out. */
  waitedMs = 0;
  /** Undefined until the caller was loaded. */
  caller: Caller | undefined;
  /** The strictest rate limit that was applied. The response describes it. */
  rateLimit: RateLimitStatus | undefined;
  /** The input before validation. Undefined until it was read. */
  rawInput: RawInput | undefined;
  /** Whether the call has held a database slot or stored a file: then it waits for further slots, also while the service is overloaded. */
  hasStarted = false;
  readonly #log: Logger;
  #childLog: Logger | undefined;

  constructor(operation: string, endpoint: Endpoint, request: ApiRequest, { log, tracing }: ContextOptions) {
    this.operation = operation;
    this.endpoint = endpoint;
    this.request = request;
    this.tracing = tracing;
    this.#log = log;
  }

  get requestId(): string {
    return this.request.requestId;
  }

  /** A log whose lines have the operation and the request id. Created when first used. */
  get log(): Logger {
    return (this.#childLog ??= this.#log.child({ operation: this.operation, requestId: this.requestId }));
  }
}
