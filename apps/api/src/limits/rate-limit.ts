import type { RedisConnection } from '@profile-service/auth';
import { LRUCache } from 'lru-cache';
import { RateLimiterRedis } from 'rate-limiter-flexible';

/** The state of a rate limit for one key after a request was counted. */
export interface RateLimitStatus {
  /** Name of the limit. */
  limit: string;
  /** Requests allowed in a window. */
  quota: number;
  /** Length of a window in seconds. */
  windowSeconds: number;
  /** Requests left in this window. */
  remaining: number;
  /** Seconds until the window ends, at least 1. */
  resetSeconds: number;
  isOver: boolean;
}

export interface RateLimitOptions {
  name: string;
  /** Requests of one key in a window, on all instances together. */
  quota: number;
  windowSeconds: number;
  /** Where the instances share their counts. Absent: each instance counts for itself. */
  redis: RedisConnection | undefined;
  /** Whether a request waits for the shared count. Otherwise counts are shared in the background, a twentieth of the quota at a time. */
  isExact: boolean;
}

interface Window {
  count: number;
  /** On the clock of `performance.now()`, in milliseconds. */
  endsAt: number;
}

/** Keys that are counted at once. The least recently seen key is forgotten first. */
const maxKeys = 100_000;

/** Counts requests by key in fixed windows; a window begins with a key's first request. While Redis is down, each instance counts for itself. */
export class RateLimit {
  readonly #options: RateLimitOptions;
  readonly #windows = new LRUCache<string, Window>({ max: maxKeys });
  readonly #shared: RateLimiterRedis | undefined;
  /** How many requests are shared at once. */
  readonly #block: number;

  constructor(options: RateLimitOptions) {
    this.#options = options;
    const { name, quota: points, windowSeconds: duration, redis, isExact } = options;
    this.#shared = redis && new RateLimiterRedis({ storeClient: redis.client, keyPrefix: `rate_limit:${name}`, points, duration });
    this.#block = isExact ? 1 : Math.max(1, Math.floor(points / 20));
  }

  /** Counts requests of the key, including those over the limit. Never fails; a promise is returned only by an exact limit with Redis. */
  count(key: string, requests = 1): RateLimitStatus | Promise<RateLimitStatus> {
    const window = this.#windowOf(key);
    window.count += requests;
    // Requests that are refused here are not shared, so that the windows of the other instances end.
    if (this.#shared && window.count <= this.#options.quota) {
      const blocks = Math.floor(window.count / this.#block) - Math.floor((window.count - requests) / this.#block);
      const sharing = blocks > 0 ? this.#share(key, window, blocks * this.#block) : undefined;
      if (this.#options.isExact && sharing) return sharing.then((shared) => this.#status(shared ?? window));
    }
    return this.#status(window);
  }

  #windowOf(key: string): Window {
    const now = performance.now();
    let window = this.#windows.get(key);
    if (!window || window.endsAt <= now) {
      window = { count: 0, endsAt: now + this.#options.windowSeconds * 1000 };
      this.#windows.set(key, window);
    }
    return window;
  }

  /** Adds requests to the shared count. When the instances together are over the limit, the key is refused here until the shared window ends. */
  async #share(key: string, own: Window, requests: number): Promise<Window | undefined> {
    const { redis, quota } = this.#options;
    const result = await redis?.attempt(async () => this.#shared?.penalty(key, requests));
    if (!result) return undefined;
    const shared = { count: result.consumedPoints, endsAt: performance.now() + Math.max(1, result.msBeforeNext) };
    if (shared.count > quota) Object.assign(own, shared);
    return shared;
  }

  #status({ count, endsAt }: Window): RateLimitStatus {
    const { name: limit, quota, windowSeconds } = this.#options;
    const remaining = Math.max(0, quota - count);
    const resetSeconds = Math.max(1, Math.ceil((endsAt - performance.now()) / 1000));
    return { limit, quota, windowSeconds, remaining, resetSeconds, isOver: count > quota };
  }
}
