import type { ServerResponse } from 'node:http';
import { ProblemError } from '@profile-service/contracts';

export interface OutboundBufferLimitOptions {
  /** Limit per key, in bytes. */
  maxBytes: number;
  /** How long a client may take to receive one response, in milliseconds. */
  timeoutMs: number;
  /** Called for each rejected request, for the metrics. */
  onRejected(): void;
}

/** Limits the memory of responses that their clients have not received yet. */
export class OutboundBufferLimit {
  readonly #options: OutboundBufferLimitOptions;
  readonly #bytesByKey = new Map<string, number>();

  constructor(options: OutboundBufferLimitOptions) {
    this.#options = options;
  }

  /** Throws RATE_LIMITED if the key is over its limit. */
  assertBelowLimit(key: string): void {
    const { maxBytes, onRejected } = this.#options;
    const bytes = this.#bytesByKey.get(key) ?? 0;
    if (bytes <= maxBytes) return;
    onRejected();
    const detail = `The clients of this tenant have not received ${bytes} bytes of earlier responses; the limit is ${maxBytes}.`;
    throw new ProblemError('RATE_LIMITED', { detail });
  }

  /**
   * Counts a response until the client has received it or has disconnected. Closes the connection of a client that takes longer than `timeoutMs`.
   * @param key undefined without a known caller: then only the time limit applies
   */
  track(response: ServerResponse, bytes: number, key: string | undefined): void {
    // Use the request's socket: a pipelined response has none until the previous responses are sent.
    const { socket } = response.req;
    // `close` fires once; do not wait for it on a closed response. Nor if the operating system has taken the whole response, as it does for most.
    if (response.closed || socket.destroyed || (response.writableEnded && response.writableLength === 0)) return;
    const timer = setTimeout(() => socket.destroy(), this.#options.timeoutMs);
    this.#add(key, bytes);
    response.once('close', () => {
      clearTimeout(timer);
      this.#add(key, -bytes);
    });
  }

  #add(key: string | undefined, bytes: number): void {
    if (key === undefined) return;
    const total = (this.#bytesByKey.get(key) ?? 0) + bytes;
    if (total === 0) this.#bytesByKey.delete(key);
    else this.#bytesByKey.set(key, total);
  }
}
