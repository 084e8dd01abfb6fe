import type { RedisConnection } from '@profile-service/auth';
import { RateLimiterMemory, RateLimiterRedis, type RateLimiterRes } from 'rate-limiter-flexible';

/** The state of a limit for one key after a request was counted. */
export interface RateLimitStatus {
  limit: string;
  /** Requests that a window allows. */
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
  /** Requests of one key in a window, summed over all instances. */
  quota: number;
  windowSeconds: number;
  /** Shares the counters between instances. Without it, each instance counts on its own. */
  redis: RedisConnection | undefined;
  /** Whether each request waits for the shared counter. If not, requests are reported in the background, in batches of 5 % of the quota. */
  isExact: boolean;
}

/** Counts requests by key, in windows that begin with the first request of a key. While Redis is unavailable, each instance counts on its own. */
export class RateLimit {
  readonly #options: RateLimitOptions;
  readonly #local: RateLimiterMemory;
  readonly #shared: RateLimiterRedis | undefined;
  /** Requests that are reported to the shared counter at once. */
  readonly #batchSize: number;

  constructor(options: RateLimitOptions) {
    const { name, quota: points, windowSeconds: duration, redis, isExact } = options;
    this.#options = options;
    this.#local = new RateLimiterMemory({ points, duration });
    this.#shared = redis && new RateLimiterRedis({ storeClient: redis.client, keyPrefix: `rate_limit:${name}`, points, duration });
    this.#batchSize = isExact ? 1 : Math.max(1, Math.floor(points / 20));
  }

  /** Counts requests of this key, including those over the limit. Never throws. */
  async count(key: string, requests = 1): Promise<RateLimitStatus> {
    const counted = await this.#local.penalty(key, requests);
    const { consumedPoints: total } = counted;
    // Requests refused here are not reported, so that the shared window can end.
    if (!this.#shared || total > this.#options.quota) return this.#statusOf(counted);
    const batches = Math.floor(total / this.#batchSize) - Math.floor((total - requests) / this.#batchSize);
    const report = batches > 0 ? this.#report(key, batches * this.#batchSize) : undefined;
    return this.#statusOf((this.#options.isExact && (await report)) || counted);
  }

  /** Adds requests to the shared counter. Blocks the key here until the shared window ends if all instances together are over the limit. */
  async #report(key: string, requests: number): Promise<RateLimiterRes | undefined> {
    const { redis, quota } = this.#options;
    const shared = await redis?.attempt(async () => this.#shared?.penalty(key, requests));
    if (shared && shared.consumedPoints > quota) await this.#local.block(key, Math.max(1, shared.msBeforeNext) / 1000);
    return shared;
  }

  #statusOf({ consumedPoints, msBeforeNext }: RateLimiterRes): RateLimitStatus {
    const { name: limit, quota, windowSeconds } = this.#options;
    const remaining = Math.max(0, quota - consumedPoints);
    return {
      limit,
      quota,
      windowSeconds,
      remaining,
      resetSeconds: Math.max(1, Math.ceil(msBeforeNext / 1000)),
      isOver: consumedPoints > quota,
    };
  }
}
