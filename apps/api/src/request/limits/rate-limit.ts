import type { RedisConnection } from '@profile-service/auth';
import { LRUCache } from 'lru-cache';
import type { RateLimiterRedis } from 'rate-limiter-flexible';

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
  /** Stores the counts of all instances. Undefined: each instance counts for itself. */
  redis: RedisConnection | undefined;
  /** Whether each request waits for the count in Redis. Otherwise counts are added to Redis in the background, in batches of a twentieth of the quota. */
  isExact: boolean;
}

interface Window {
  count: number;
  /** On the clock of `performance.now()`, in milliseconds. */
  endsAt: number;
}

/** Maximum number of keys. The least recently used key is dropped first. */
const maxKeys = 100_000;

/** Counts requests per key in fixed windows. A window begins with the first request of its key. While Redis is down, each instance counts for itself. */
export class RateLimit {
  readonly #options: RateLimitOptions;
  /** `maxSize` instead of `max`, which would allocate 3 MB in advance. */
  readonly #windows = new LRUCache<string, Window>({ maxSize: maxKeys, sizeCalculation: () => 1 });
  readonly #shared: Promise<RateLimiterRedis> | undefined;
  /** How many requests are added to Redis at once. */
  readonly #batchSize: number;

  constructor(options: RateLimitOptions) {
    this.#options = options;
    const { name, quota: points, windowSeconds: duration, redis, isExact } = options;
    const create = (storeClient: unknown) =>
      import('rate-limiter-flexible').then(
        ({ RateLimiterRedis }) => new RateLimiterRedis({ storeClient, keyPrefix: `rate_limit:${name}`, points, duration }),
      );
    this.#shared = redis && create(redis.client);
    this.#batchSize = isExact ? 1 : Math.max(1, Math.floor(points / 20));
  }

  /** Counts requests of the key, including those over the limit. Never fails. Returns a promise only for an exact limit with Redis. */
  count(key: string, requests = 1): RateLimitStatus | Promise<RateLimitStatus> {
    const window = this.#windowOf(key);
    window.count += requests;
    // Requests over the limit are not added to Redis: they would prolong the limit on the other instances.
    if (this.#shared && window.count <= this.#options.quota) {
      const batches = Math.floor(window.count / this.#batchSize) - Math.floor((window.count - requests) / this.#batchSize);
      const adding = batches > 0 ? this.#addToShared(key, window, batches * this.#batchSize) : undefined;
      if (this.#options.isExact && adding) {
        // Without Redis, the count of this moment decides: further requests may be counted before the command fails.
        const own = { ...window };
        return adding.then((shared) => this.#status(shared ?? own));
      }
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

  /** Adds requests to the count in Redis. If the instances together are over the limit, the key is over its limit here until the shared window ends. */
  async #addToShared(key: string, own: Window, requests: number): Promise<Window | undefined> {
    const { redis, quota } = this.#options;
    const result = await redis?.attempt('count request', async () => (await this.#shared)?.penalty(key, requests));
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
