import type { RedisConnection } from '@profile-service/auth';
import { RateLimiterMemory, RateLimiterRedis, type RateLimiterRes } from 'rate-limiter-flexible';

/** How somebody stands with a limit once a request of theirs is counted. */
export interface RateLimitStatus {
  limit: string;
  /** Requests that a window allows. */
  quota: number;
  /** Seconds of a window. */
  windowSeconds: number;
  /** Requests that are left in this window. */
  remaining: number;
  /** Seconds until the window ends, at least 1. */
  resetSeconds: number;
  isOver: boolean;
}

export interface RateLimitOptions {
  name: string;
  /** Requests of one key in a window, of all instances together. */
  quota: number;
  windowSeconds: number;
  /** Where the instances count together; absent: each counts for itself. */
  redis: RedisConnection | undefined;
  /** Whether a request waits for what the others counted; else the others are told in the background, a twentieth of the quota at a time. */
  isExact: boolean;
}

/** Counts requests by key, in windows that begin with a key's first request. While Redis is away each instance counts for itself. */
export class RateLimit {
  readonly #options: RateLimitOptions;
  readonly #own: RateLimiterMemory;
  readonly #together: RateLimiterRedis | undefined;
  /** How many requests the others are told of at once. */
  readonly #block: number;

  constructor(options: RateLimitOptions) {
    const { name, quota: points, windowSeconds: duration, redis, isExact } = options;
    this.#options = options;
    this.#own = new RateLimiterMemory({ points, duration });
    this.#together = redis && new RateLimiterRedis({ storeClient: redis.client, keyPrefix: `rate_limit:${name}`, points, duration });
    this.#block = isExact ? 1 : Math.max(1, Math.floor(points / 20));
  }

  /** Counts requests of this key, also where they are over the limit. Never fails. */
  async count(key: string, requests = 1): Promise<RateLimitStatus> {
    const counted = await this.#own.penalty(key, requests);
    const { consumedPoints: total } = counted;
    // What is refused here is not told, so that the others' windows end too.
    if (!this.#together || total > this.#options.quota) return this.#standing(counted);
    const blocks = Math.floor(total / this.#block) - Math.floor((total - requests) / this.#block);
    const telling = blocks > 0 ? this.#tell(key, blocks * this.#block) : undefined;
    return this.#standing((this.#options.isExact && (await telling)) || counted);
  }

  /** Where the instances together are over the limit, the key is refused here until their window ends. */
  async #tell(key: string, requests: number): Promise<RateLimiterRes | undefined> {
    const { redis, quota } = this.#options;
    const together = await redis?.attempt(async () => this.#together?.penalty(key, requests));
    if (together && together.consumedPoints > quota) await this.#own.block(key, Math.max(1, together.msBeforeNext) / 1000);
    return together;
  }

  #standing({ consumedPoints, msBeforeNext }: RateLimiterRes): RateLimitStatus {
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
