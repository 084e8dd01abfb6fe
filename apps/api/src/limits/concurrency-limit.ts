import { ProblemError } from '@profile-service/contracts';

export interface ConcurrencyLimitOptions {
  /** What is shared, for the detail of a refusal. */
  of: string;
  /** How much work of one holder goes on at once; 0: any. */
  most: number;
  /** How long the rest waits for its turn, in milliseconds. */
  waitMs: number;
  /** Told of each refusal. */
  onRefused(): void;
}

/** What one holder has: works that go on, and those that wait in the order in which they came. */
interface Holding {
  going: number;
  readonly waiting: Set<() => void>;
}

/** Lets each holder do so much at once, whoever else there is. A holder that does nothing is forgotten. */
export class ConcurrencyLimit {
  readonly #options: ConcurrencyLimitOptions;
  readonly #most: number;
  readonly #holdings = new Map<string, Holding>();

  constructor(options: ConcurrencyLimitOptions) {
    this.#options = options;
    this.#most = options.most || Infinity;
  }

  /**
   * Does the work when it is its turn, and gives what came of it. The work is told whether it had to wait.
   * @throws RATE_LIMITED where its turn does not come in time, or what the work throws
   */
  async run<T>(holder: string, work: (hasWaited: boolean) => Promise<T>): Promise<T> {
    const holding = this.#holdingOf(holder);
    const isFull = holding.going >= this.#most;
    if (isFull) await this.#turn(holding);
    else holding.going += 1;
    try {
      return await work(isFull);
    } finally {
      this.#pass(holder, holding);
    }
  }

  #holdingOf(holder: string): Holding {
    let holding = this.#holdings.get(holder);
    if (!holding) this.#holdings.set(holder, (holding = { going: 0, waiting: new Set() }));
    return holding;
  }

  #turn({ waiting }: Holding): Promise<void> {
    const { of, waitMs, onRefused } = this.#options;
    return new Promise((resolve, reject) => {
      const begin = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        waiting.delete(begin);
        onRefused();
        reject(new ProblemError('RATE_LIMITED', { detail: `As many ${of} at once as one tenant may have are under way` }));
      }, waitMs);
      waiting.add(begin);
    });
  }

  /** Whoever waits longest goes on in the place of what has ended. */
  #pass(holder: string, holding: Holding): void {
    const [next] = holding.waiting;
    if (next) {
      holding.waiting.delete(next);
      return next();
    }
    holding.going -= 1;
    if (holding.going === 0) this.#holdings.delete(holder);
  }
}
