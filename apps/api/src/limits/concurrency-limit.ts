import { ProblemError } from '@profile-service/contracts';

export interface ConcurrencyLimitOptions {
  /** Plural name of the limited operations, for the error detail: `uploads`. */
  of: string;
  /** How many operations may run at once per key; 0 means no limit. */
  max: number;
  /** How long a request over the limit waits for a slot, in milliseconds. */
  waitMs: number;
  /** Called for each rejected request, for the metrics. */
  onRefused(): void;
}

/** A request for a slot. Its signal is read only if it has to wait. */
export interface SlotRequest {
  readonly signal: AbortSignal;
}

interface Slots {
  used: number;
  /** In order of arrival. */
  readonly waiting: Set<() => void>;
}

/** Limits how many operations run at once per key. A key without operations uses no memory. */
export class ConcurrencyLimit {
  readonly #options: ConcurrencyLimitOptions;
  readonly #max: number;
  readonly #slotsByKey = new Map<string, Slots>();

  constructor(options: ConcurrencyLimitOptions) {
    this.#options = options;
    this.#max = options.max || Infinity;
  }

  /**
   * Runs the work when the key has a free slot, and returns its result. If a slot is free now, the work starts synchronously.
   * @param work gets whether it had to wait
   * @throws RATE_LIMITED if no slot is free in time, the signal's reason if the request is aborted while it waits, or the error of the work
   */
  run<T>(key: string, request: SlotRequest, work: (hasWaited: boolean) => T | Promise<T>): T | Promise<T> {
    const slots = this.#slotsOf(key);
    if (slots.used >= this.#max) return this.#wait(slots, request.signal).then(() => this.#use(key, slots, () => work(true)));
    slots.used += 1;
    return this.#use(key, slots, () => work(false));
  }

  /** Returns the slots of the key, and creates them if there are none. */
  #slotsOf(key: string): Slots {
    let slots = this.#slotsByKey.get(key);
    if (!slots) this.#slotsByKey.set(key, (slots = { used: 0, waiting: new Set() }));
    return slots;
  }

  /** Runs the work, then releases its slot. */
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

  /** Waits for a slot in the queue of the key. */
  #wait({ waiting }: Slots, signal: AbortSignal): Promise<void> {
    const { of, max, waitMs, onRefused } = this.#options;
    return new Promise((resolve, reject) => {
      const leaveQueue = () => {
        waiting.delete(start);
        clearTimeout(timer);
        signal.removeEventListener('abort', abort);
      };
      const start = () => {
        leaveQueue();
        resolve();
      };
      const abort = () => {
        leaveQueue();
        reject(signal.reason as Error);
      };
      const timer = setTimeout(() => {
        leaveQueue();
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
