/** What the caller cache holds in one context of a subject. */
export interface CacheEntry {
  readonly value: unknown;
  /** Milliseconds since 1970. */
  readonly until: number;
}
