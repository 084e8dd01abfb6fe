import type { ServerResponse } from 'node:http';
import { ProblemError } from '@profile-service/contracts';

export interface OutboundBufferLimitOptions {
  /** Bytes of one holder's answers. */
  mostBytes: number;
  /** How long a client may take for one, in milliseconds. */
  longestMs: number;
  /** Told of each refusal. */
  onRefused(): void;
}

/** Answers that were handed over and that their clients have not taken yet: they lie in memory until then. */
export class OutboundBufferLimit {
  readonly #options: OutboundBufferLimitOptions;
  readonly #bytes = new Map<string, number>();

  constructor(options: OutboundBufferLimitOptions) {
    this.#options = options;
  }

  /** Throws RATE_LIMITED where a holder's clients have left too much unread to be given more. */
  assertBelowLimit(holder: string): void {
    if ((this.#bytes.get(holder) ?? 0) <= this.#options.mostBytes) return;
    this.#options.onRefused();
    throw new ProblemError('RATE_LIMITED', { detail: 'Too many answers to this tenant have not been read yet' });
  }

  /** Counts an answer until it is taken or its client gone; one that takes too long is cut off. @param holder absent: nobody that is known */
  track(response: ServerResponse, bytes: number, holder: string | undefined): void {
    // An answer that waits for others on its connection has no socket of its own yet.
    const { socket } = response.req;
    // Of what is closed already nobody is told again.
    if (response.closed || socket.destroyed) return;
    const cut = setTimeout(() => socket.destroy(), this.#options.longestMs);
    this.#count(holder, bytes);
    response.once('close', () => {
      clearTimeout(cut);
      this.#count(holder, -bytes);
    });
  }

  #count(holder: string | undefined, bytes: number): void {
    if (holder === undefined) return;
    const total = (this.#bytes.get(holder) ?? 0) + bytes;
    if (total === 0) this.#bytes.delete(holder);
    else this.#bytes.set(holder, total);
  }
}
