import type { RedisConnection } from '@profile-service/auth';
import { ProblemError } from '@profile-service/contracts';
import { RateLimit, type RateLimitStatus } from './rate-limit.ts';

/** A request whose response describes a rate limit. The strictest limit is counted last and replaces the others. */
export interface RateLimitedRequest {
  rateLimit: RateLimitStatus | undefined;
}

/**
 * Counts requests of a key, and sets the status of the limit whether or not it is exceeded.
 * @throws RATE_LIMITED
 */
export type CountRequest = (key: string, request: RateLimitedRequest, requests?: number) => void;
/** The same, in Redis if there is one: then it returns a promise. */
export type CountExactly = (...args: Parameters<CountRequest>) => void | Promise<void>;

/** A limit that is absent is switched off. */
export interface RateLimits {
  address?: CountRequest;
  caller?: CountRequest;
  identity?: CountExactly;
}
export type RateLimitName = keyof RateLimits;

/** Requests per second; 0 means no limit. */
export interface RateLimitSettings {
  RATE_LIMIT_ADDRESS_PER_SECOND: number;
  RATE_LIMIT_CALLER_PER_SECOND: number;
  RATE_LIMIT_IDENTITY_PER_SECOND: number;
}

export interface RateLimitsOptions {
  settings: RateLimitSettings;
  redis: RedisConnection | undefined;
  windowSeconds?: number | undefined;
  /** Called for each rejected request, for the metrics. */
  onRejected(limit: RateLimitName): void;
}

/** What each limit applies to, for the error detail. */
const subjects: Record<RateLimitName, string> = {
  address: 'this address',
  caller: 'this caller',
  identity: 'calls of this caller that reach the identity provider',
};

/** Creates the rate limits. Calls that reach the identity provider are counted exactly, because the provider is slow. Rules: LIMITS-5 to LIMITS-7. */
export function createRateLimits({ settings, redis, windowSeconds = 1, onRejected }: RateLimitsOptions): RateLimits {
  const quotas: Record<RateLimitName, number> = {
    address: settings.RATE_LIMIT_ADDRESS_PER_SECOND,
    caller: settings.RATE_LIMIT_CALLER_PER_SECOND,
    identity: settings.RATE_LIMIT_IDENTITY_PER_SECOND,
  };

  function countAgainst(name: RateLimitName, quota: number): CountExactly {
    const limit = new RateLimit({ name, quota, windowSeconds, redis, isExact: name === 'identity' });
    const check = (request: RateLimitedRequest, status: RateLimitStatus) => {
      request.rateLimit = status;
      if (!status.isOver) return;
      onRejected(name);
      throw new ProblemError('RATE_LIMITED', { detail: detailOf(status, subjects[name]) });
    };
    return (key, request, requests) => {
      const status = limit.count(key, requests);
      return status instanceof Promise ? status.then((counted) => check(request, counted)) : check(request, status);
    };
  }

  const limited = (Object.keys(quotas) as RateLimitName[]).filter((name) => quotas[name] > 0);
  return Object.fromEntries(limited.map((name) => [name, countAgainst(name, quotas[name])]));
}

/** Returns the response headers of draft-ietf-httpapi-ratelimit-headers. */
export const rateLimitHeaders = ({ limit, quota, windowSeconds, remaining, resetSeconds }: RateLimitStatus) => ({
  'ratelimit-policy': `"${limit}";q=${quota};w=${windowSeconds}`,
  ratelimit: `"${limit}";r=${remaining};t=${resetSeconds}`,
});

const detailOf = ({ quota, windowSeconds }: RateLimitStatus, subject: string): string =>
  `Rate limit exceeded for ${subject}: ${quota} requests in ${seconds(windowSeconds)}. Retry after ${seconds(windowSeconds)}.`;

const seconds = (count: number): string => (count === 1 ? '1 second' : `${count} seconds`);
