import type { ServerResponse } from 'node:http';
import { ProblemError } from '@profile-service/contracts';

export interface OutboundBufferLimitOptions {
  /** Bytes for each key. */
  maxBytes: number;
  /** How long a client may take to receive one response, in milliseconds. */
  timeoutMs: number;
  /** Called for each refusal. */
  onRefused(): void;
}

/** Limits the responses that lie in memory because their clients have not received them yet. */
export class OutboundBufferLimit {
  readonly #options: OutboundBufferLimitOptions;
  readonly #bytesByKey = new Map<string, number>();

  constructor(options: OutboundBufferLimitOptions) {
    this.#options = options;
  }

  /** Throws RATE_LIMITED when the key is over its limit. */
  assertBelowLimit(key: string): void {
    const { maxBytes, onRefused } = this.#options;
    const bytes = this.#bytesByKey.get(key) ?? 0;
    if (bytes <= maxBytes) return;
    onRefused();
    const detail = `The clients of this tenant have ${bytes} bytes of responses to receive; the limit is ${maxBytes}.`;
    throw new ProblemError('RATE_LIMITED', { detail });
  }

  /** Counts a response until it is received or its client is gone. Closes the connection of a client that takes too long. @param key absent: no known caller */
  track(response: ServerResponse, bytes: number, key: string | undefined): void {
    // A pipelined response has no socket of its own until the ones before it are sent.
    const { socket } = response.req;
    // `close` fires once; do not wait for it on a closed response.
    if (response.closed || socket.destroyed) return;
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
