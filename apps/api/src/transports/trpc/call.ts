import type { IncomingMessage } from 'node:http';
import type { Call } from '../../request/call.ts';
import type { RequestAbort } from '../../request/request-abort.ts';
import type { HttpContext } from '../http/context.ts';
import type { BatchSize } from './batch-size.ts';

/** A procedure call as the input of an operation. */
export class TrpcCall implements Call {
  readonly #request: IncomingMessage;
  readonly #context: HttpContext;
  readonly #batchSize: BatchSize | undefined;
  readonly readInput: Call['readInput'];

  /** @param batchSize limit of the batch; undefined for a single call */
  constructor(request: IncomingMessage, context: HttpContext, batchSize: BatchSize | undefined, readInput: Call['readInput']) {
    this.#request = request;
    this.#context = context;
    this.#batchSize = batchSize;
    this.readInput = readInput;
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
