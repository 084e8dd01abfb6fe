/** Random numbers from a seed (mulberry32). A replayed command draws the same numbers again. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** From 0 to `limit`, exclusive. */
  below(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (((mixed ^ (mixed >>> 14)) >>> 0) * limit) / 2 ** 32;
  }

  /** A random index of a list. */
  index(length: number): number {
    return Math.floor(this.below(length));
  }

  /** True with this probability. */
  chance(probability: number): boolean {
    return this.below(1) < probability;
  }

  /** A random item; undefined for an empty list. */
  pick<T>(items: readonly T[]): T | undefined {
    return items[this.index(items.length)];
  }

  /** One of the arguments. */
  oneOf<T>(...items: [T, ...T[]]): T {
    return items[this.index(items.length)] ?? items[0];
  }

  /** Some of them, in their order, each with this probability. */
  some<T>(items: readonly T[], probability = 0.5): T[] {
    return items.filter(() => this.chance(probability));
  }
}
