/** How often callers saw an outcome, and the longest time that it took. */
export interface Seen {
  count: number;
  longestMs: number;
}

/** The requests of all writers since the last `reset`. */
export class Attempts {
  #outcomes = new Map<string, Seen>();
  /** Times in milliseconds of `performance.now()`. */
  #lastFailureAt = 0;
  readonly #lastSuccessAt = new Map<string, number>();

  /** Counts a request. @param channel the kind of writer and the instance */
  add(channel: string, outcome: string, startedAt: number): void {
    const now = performance.now();
    const seen = this.#outcomes.get(outcome) ?? { count: 0, longestMs: 0 };
    this.#outcomes.set(outcome, { count: seen.count + 1, longestMs: Math.max(seen.longestMs, now - startedAt) });
    if (outcome === 'success') this.#lastSuccessAt.set(channel, startedAt);
    else this.#lastFailureAt = now;
  }

  reset(): void {
    this.#outcomes = new Map();
  }

  get outcomes(): ReadonlyMap<string, Seen> {
    return this.#outcomes;
  }

  /** When the last request failed that did not end before `since`; otherwise `since`. */
  lastFailureSince(since: number): number {
    return Math.max(since, this.#lastFailureAt);
  }

  /** The channels that had no success with a request that began after `since`. */
  withoutSuccessSince(since: number): string[] {
    return [...this.#lastSuccessAt].filter(([, startedAt]) => startedAt < since).map(([channel]) => channel);
  }
}
