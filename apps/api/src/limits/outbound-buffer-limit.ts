import type { ServerResponse } from 'node:http';
import { ProblemError } from '@profile-service/contracts';

export interface OutboundBufferLimitOptions {
  /** Bytes of responses per key. */
  mostBytes: number;
  /** How long a client may take to read one response, in milliseconds. */
  longestMs: number;
  /** Called for each refusal. */
  onRefused(): void;
}

/** Limits the bytes of responses that clients have not read yet. Node keeps them in memory until then. */
export class OutboundBufferLimit {
  readonly #options: OutboundBufferLimitOptions;
  readonly #bytes = new Map<string, number>();

  constructor(options: OutboundBufferLimitOptions) {
    this.#options = options;
  }

  /** @throws RATE_LIMITED if the unread responses of the key exceed the limit */
  assertBelowLimit(key: string): void {
    const { mostBytes } = this.#options;
    const unread = this.#bytes.get(key) ?? 0;
    if (unread <= mostBytes) return;
    this.#options.onRefused();
    const detail = `Unread responses of this tenant hold ${unread} bytes; the limit is ${mostBytes}. Read them, then retry.`;
    throw new ProblemError('RATE_LIMITED', { detail });
  }

  /** Counts a response until its connection has taken it or has closed. Closes the connection after the time limit. @param key undefined if the caller is unknown */
  track(response: ServerResponse, bytes: number, key: string | undefined): void {
    // A pipelined response that waits for earlier ones has no socket yet, but its request has.
    const { socket } = response.req;
    // `close` fires once; do not wait for it on a closed response.
    if (response.closed || socket.destroyed) return;
    const timeout = setTimeout(() => socket.destroy(), this.#options.longestMs);
    this.#add(key, bytes);
    response.once('close', () => {
      clearTimeout(timeout);
      this.#add(key, -bytes);
    });
  }

  #add(key: string | undefined, bytes: number): void {
    if (key === undefined) return;
    const total = (this.#bytes.get(key) ?? 0) + bytes;
    if (total === 0) this.#bytes.delete(key);
    else this.#bytes.set(key, total);
  }
}
