import type { IncomingMessage } from 'node:http';
import type { ApiRequest } from '../../request/api-request.ts';
import type { EventSink } from '../../request/feed.ts';
import type { RequestAbort } from '../../request/request-abort.ts';
import type { HttpContext } from '../http/context.ts';
import type { BatchSize } from './batch-size.ts';

/** A procedure call as the input of an operation. */
export class TrpcRequest implements ApiRequest {
  readonly #request: IncomingMessage;
  readonly #context: HttpContext;
  readonly #batchSize: BatchSize | undefined;
  readonly readInput: ApiRequest['readInput'];
  readonly openEvents?: () => EventSink;

  /**
   * @param batchSize limit of the batch; undefined for a single call
   * @param openEvents for a subscription
   */
  constructor(
    request: IncomingMessage,
    context: HttpContext,
    batchSize: BatchSize | undefined,
    readInput: ApiRequest['readInput'],
    openEvents?: () => EventSink,
  ) {
    this.#request = request;
    this.#context = context;
    this.#batchSize = batchSize;
    this.readInput = readInput;
    if (openEvents) this.openEvents = openEvents;
  }

  get requestId(): string {
    return this.#context.requestId;
  }

  get abort(): RequestAbort {
    return this.#context.abort;
  }

  header(name: string): string | undefined {
    return this.#request.headers[name]?.toString();
  }

  beforeHandler(): void {
    this.#batchSize?.assertNotFull();
  }
}
