/** An entry of the caller cache: a value for one subject in one context. */
export interface CacheEntry {
  readonly value: unknown;
  /** Milliseconds since 1970. */
  readonly until: number;
}

/**
 * Whether an entry may be used.
 * @param ttlMs the longest time that an entry lasts. An entry that would last longer was written before the clock was set back.
 */
export function isCurrent({ until }: CacheEntry, ttlMs: number, now = Date.now()): boolean {
  return now < until && until <= now + ttlMs;
}
