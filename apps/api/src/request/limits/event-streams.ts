import { ProblemError } from '@profile-service/contracts';
import type { FeedPage } from '../feed.ts';

/** The times of event streams, in milliseconds. */
export interface EventStreamTimes {
  /** How long a stream lasts. Shifted at random by up to a fifth, so that the streams of an instance do not end together. */
  lifetimeMs: number;
  /** How often a client gets at least a position. */
  positionMs: number;
  /** How often access is checked while there are no events. */
  accessMs: number;
}

const defaults: EventStreamTimes = { lifetimeMs: 15 * 60_000, positionMs: 10_000, accessMs: 4_000 };

/** The event streams of this instance: their times, and the limit of how many a tenant may open. */
export class EventStreams {
  readonly times: EventStreamTimes;
  readonly #maxPerTenant: number;
  readonly #open = new Map<string, number>();
  readonly #reads = new Map<string, Promise<FeedPage>>();

  /** @param maxPerTenant 0 means no limit */
  constructor(maxPerTenant: number, times: Partial<EventStreamTimes> = {}) {
    this.times = { ...defaults, ...times };
    this.#maxPerTenant = maxPerTenant || Infinity;
  }

  /** Number of open streams. */
  get open(): number {
    return [...this.#open.values()].reduce((total, count) => total + count, 0);
  }

  /** Reads a page, or waits for the read of another stream with the same key. All streams of a tenant are woken at once by an event. */
  read(key: string, read: () => Promise<FeedPage>): Promise<FeedPage> {
    const running = this.#reads.get(key);
    if (running) return running;
    const started = read().finally(() => this.#reads.delete(key));
    this.#reads.set(key, started);
    return started;
  }

  /** Runs a stream. Throws TOO_MANY_STREAMS. @param key of the tenant */
  async run<T>(key: string, stream: () => Promise<T>): Promise<T> {
    const count = this.#open.get(key) ?? 0;
    if (count >= this.#maxPerTenant)
      throw new ProblemError('TOO_MANY_STREAMS', {
        detail: `The tenant has ${this.#maxPerTenant} open streams on this instance, which is its limit. Retry after 5 seconds.`,
      });
    this.#open.set(key, count + 1);
    try {
      return await stream();
    } finally {
      const left = (this.#open.get(key) ?? 1) - 1;
      if (left > 0) this.#open.set(key, left);
      else this.#open.delete(key);
    }
  }
}
