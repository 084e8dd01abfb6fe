import { ProblemError } from '@profile-service/contracts';

/** Limits how many event streams of a tenant are open on this instance. */
export class EventStreams {
  readonly #maxPerTenant: number;
  readonly #open = new Map<string, number>();

  /** @param maxPerTenant 0 means no limit */
  constructor(maxPerTenant: number) {
    this.#maxPerTenant = maxPerTenant || Infinity;
  }

  /** Number of open streams. */
  get open(): number {
    return [...this.#open.values()].reduce((total, count) => total + count, 0);
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
