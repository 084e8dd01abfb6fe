import { ProblemError } from '@profile-service/contracts';
import { type SlotRequest, useSlot, waitForSlot } from './slots.ts';

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
   * @throws RATE_LIMITED if no slot is free in time, the reason if the request is aborted while it waits, or the error of the work
   */
  run<T>(key: string, request: SlotRequest, work: (hasWaited: boolean) => T | Promise<T>): T | Promise<T> {
    const slots = this.#slotsOf(key);
    if (slots.used >= this.#max) return this.#wait(slots, request).then(() => this.#use(key, slots, () => work(true)));
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
    return useSlot(work, () => this.#release(key, slots));
  }

  /** Waits for a slot in the queue of the key. */
  #wait({ waiting }: Slots, request: SlotRequest): Promise<void> {
    const { of, max, waitMs, onRefused } = this.#options;
    return waitForSlot(request, {
      waitMs,
      enter(start) {
        waiting.add(start);
        return () => waiting.delete(start);
      },
      timeout() {
        onRefused();
        const detail = `The limit of ${max} ${of} at once for one tenant is reached, and none ended within ${waitMs / 1000} seconds.`;
        return new ProblemError('RATE_LIMITED', { detail });
      },
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
