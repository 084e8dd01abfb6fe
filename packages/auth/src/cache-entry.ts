/** What an entry of the caller cache is found by. */
export interface CacheKey {
  readonly sub: string;
  /** What the value depends on besides the subject: azp and X-Tenant-Id. */
  readonly context: string;
  /** The context in which an unknown caller is cached: an unknown user is unknown in every tenant. */
  readonly unknownContext: string;
  /** The client of an application: its value depends on the tenant that is linked to this client. */
  readonly clientId?: string;
}

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
