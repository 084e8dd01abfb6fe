/** Age in milliseconds from which a change by another process is visible to every read. The documentation states it. */
export const maxStalenessMs = 100;

/** Decides from the last comparison of the two servers whether the replica is current enough for a read. */
export class Freshness {
  readonly #now: () => number;
  #commits = 0;
  #coveredCommits = -1;
  /** Every change that was committed before this time is on the replica. */
  #currentAsOf = Number.NEGATIVE_INFINITY;

  /** @param now a monotonic clock in milliseconds */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Whether the replica has all commits of this process, and those of other processes that are older than 100 ms. */
  get isCurrent(): boolean {
    return this.#coveredCommits === this.#commits && this.#now() - this.#currentAsOf <= maxStalenessMs;
  }

  /** Whether the last comparison covers all commits of this process. */
  get coversCommits(): boolean {
    return this.#coveredCommits === this.#commits;
  }

  /** Records a commit of this process. The replica is not current until a comparison that starts later. */
  noteCommit(): void {
    this.#commits += 1;
  }

  /**
   * Starts a comparison. Call it before the position of the primary is read.
   * Then call `succeed` if the replica has replayed that position. `hasExpired` tells that a success comes too late to be of use.
   */
  startComparison(): { succeed: () => void; hasExpired: () => boolean } {
    const [commits, startedAt] = [this.#commits, this.#now()];
    return {
      succeed: () => {
        this.#coveredCommits = commits;
        this.#currentAsOf = startedAt;
      },
      hasExpired: () => this.#now() - startedAt > maxStalenessMs,
    };
  }

  /** Forgets all comparisons, for example because the connection to the replica was lost. */
  reset(): void {
    this.#currentAsOf = Number.NEGATIVE_INFINITY;
  }
}
