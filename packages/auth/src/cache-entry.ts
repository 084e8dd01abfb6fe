/** An entry of the caller cache: a value for one subject in one context. */
export interface CacheEntry {
  readonly value: unknown;
  /** Milliseconds since 1970. */
  readonly until: number;
}
