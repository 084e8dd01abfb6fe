import type { Call } from '../../request/call.ts';
import type { RequestAbort } from '../../request/request-abort.ts';
import type { Exchange } from '../http/exchange.ts';
import type { BatchSize } from './batch-size.ts';

/** A procedure call as the input of an operation. */
export class TrpcCall implements Call {
  readonly #exchange: Exchange;
  readonly #batchSize: BatchSize | undefined;
  readonly readInput: Call['readInput'];

  /** @param batchSize limit of the batch; undefined for a single call */
  constructor(exchange: Exchange, batchSize: BatchSize | undefined, readInput: Call['readInput']) {
    this.#exchange = exchange;
    this.#batchSize = batchSize;
    this.readInput = readInput;
  }

  get requestId(): string {
    return this.#exchange.requestId;
  }

  get abort(): RequestAbort {
    return this.#exchange.abort;
  }

  header(name: string): string | undefined {
    return this.#exchange.request.headers[name]?.toString();
  }

  beforeHandler(): void {
    this.#batchSize?.assertNotFull();
  }
}
