/** Counts the starts of operations in intervals. Times are in milliseconds. */
export class StartRate {
  readonly #intervalMs: number;
  #since: number;
  #started = 0;
  /** Starts in the last complete interval. */
  #perInterval = Infinity;

  constructor(intervalMs: number, now: number) {
    this.#intervalMs = intervalMs;
    this.#since = now;
  }

  /** Counts a start. */
  count(now: number): void {
    this.#endInterval(now);
    this.#started += 1;
  }

  /** Starts in the last complete interval, or in this one if there are more already; Infinity during the first interval. */
  perInterval(now: number): number {
    this.#endInterval(now);
    return Math.max(this.#perInterval, this.#started);
  }

  #endInterval(now: number): void {
    const elapsed = now - this.#since;
    if (elapsed < this.#intervalMs) return;
    // Nothing may have asked for some time, so that the interval is longer.
    this.#perInterval = (this.#started * this.#intervalMs) / elapsed;
    this.#started = 0;
    this.#since = now;
  }
}
