import { ProblemError } from '@profile-service/contracts';

export interface ConcurrencyLimitOptions {
  /** What is limited, for the detail of a refusal: `uploads`. */
  of: string;
  /** How many may run at once for each key; 0 means no limit. */
  max: number;
  /** How long a request over the limit waits for a slot, in milliseconds. */
  waitMs: number;
  /** Called for each refusal. */
  onRefused(): void;
}

/** Whoever asks for a slot. The signal is read only when the request has to wait. */
export interface SlotRequest {
  readonly signal: AbortSignal;
}

interface Slots {
  used: number;
  /** In the order in which they came. */
  readonly waiting: Set<() => void>;
}

/** Limits how many operations run at once for each key. A key without operations takes no memory. */
export class ConcurrencyLimit {
  readonly #options: ConcurrencyLimitOptions;
  readonly #max: number;
  readonly #slotsByKey = new Map<string, Slots>();

  constructor(options: ConcurrencyLimitOptions) {
    this.#options = options;
    this.#max = options.max || Infinity;
  }

  /**
   * Runs the work when the key has a free slot, and returns what it returns. Without a wait the work starts before `run` returns.
   * @param work is told whether it had to wait
   * @throws RATE_LIMITED when no slot is free in time, the signal's reason when the request is aborted while it waits, or what the work throws
   */
  run<T>(key: string, request: SlotRequest, work: (hasWaited: boolean) => T | Promise<T>): T | Promise<T> {
    const slots = this.#slotsOf(key);
    if (slots.used >= this.#max) return this.#wait(slots, request.signal).then(() => this.#use(key, slots, () => work(true)));
    slots.used += 1;
    return this.#use(key, slots, () => work(false));
  }

  #slotsOf(key: string): Slots {
    let slots = this.#slotsByKey.get(key);
    if (!slots) this.#slotsByKey.set(key, (slots = { used: 0, waiting: new Set() }));
    return slots;
  }

  #use<T>(key: string, slots: Slots, work: () => T | Promise<T>): T | Promise<T> {
    let result: T | Promise<T>;
    try {
      result = work();
    } catch (error) {
      this.#release(key, slots);
      throw error;
    }
    if (result instanceof Promise) return result.finally(() => this.#release(key, slots));
    this.#release(key, slots);
    return result;
  }

  #wait({ waiting }: Slots, signal: AbortSignal): Promise<void> {
    const { of, max, waitMs, onRefused } = this.#options;
    return new Promise((resolve, reject) => {
      const leave = () => {
        waiting.delete(start);
        clearTimeout(timer);
        signal.removeEventListener('abort', abort);
      };
      const start = () => {
        leave();
        resolve();
      };
      const abort = () => {
        leave();
        reject(signal.reason as Error);
      };
      const timer = setTimeout(() => {
        leave();
        onRefused();
        const detail = `The limit of ${max} ${of} at once for one tenant is reached, and none ended within ${waitMs / 1000} seconds.`;
        reject(new ProblemError('RATE_LIMITED', { detail }));
      }, waitMs);
      if (signal.aborted) return abort();
      signal.addEventListener('abort', abort);
      waiting.add(start);
    });
  }

  /** Hands the slot to the request that has waited longest. */
  #release(key: string, slots: Slots): void {
    const [next] = slots.waiting;
    if (next) return next();
    slots.used -= 1;
    if (slots.used === 0) this.#slotsByKey.delete(key);
  }
}
