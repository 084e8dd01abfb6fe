import type { Call } from '../../operation/call.ts';
import type { RawInput } from '../../operation/input.ts';
import type { Exchange } from '../http/exchange.ts';
import type { BatchSize } from './batch-size.ts';

/** One procedure call as an operation sees it. */
export class TrpcCall implements Call {
  readonly #exchange: Exchange;
  readonly #batchSize: BatchSize | undefined;
  readonly readInput: () => Promise<RawInput>;

  /** @param batchSize of a batch of several calls */
  constructor(exchange: Exchange, batchSize: BatchSize | undefined, readInput: () => Promise<RawInput>) {
    this.#exchange = exchange;
    this.#batchSize = batchSize;
    this.readInput = readInput;
  }

  get requestId(): string {
    return this.#exchange.requestId;
  }

  get signal(): AbortSignal {
    return this.#exchange.signal;
  }

  header(name: string): string | undefined {
    return this.#exchange.request.headers[name]?.toString();
  }

  beforeHandler(): void {
    this.#batchSize?.assertNotFull();
  }
}
