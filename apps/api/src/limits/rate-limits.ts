import type { RedisConnection } from '@profile-service/auth';
import { ProblemError } from '@profile-service/contracts';
import { RateLimit, type RateLimitStatus } from './rate-limit.ts';

/** Takes the headers of a response. */
export interface HeaderTarget {
  setHeader(name: string, value: string): void;
}

/**
 * Counts requests of a key and sets the rate limit headers of the response, whether or not the limit is reached.
 * Returns a promise only where the count is shared exactly.
 * @throws RATE_LIMITED
 */
export type CountRequest = (key: string, target: HeaderTarget, requests?: number) => void | Promise<void>;

export type RateLimitName = 'address' | 'caller' | 'identity';

/** Absent: there is no such limit. */
export type RateLimits = Partial<Record<RateLimitName, CountRequest>>;

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
  /** Called for each refusal, for the metrics. */
  onRefused(limit: RateLimitName): void;
}

const subjects: Record<RateLimitName, string> = {
  address: 'this address',
  caller: 'this caller',
  identity: 'calls of this caller that reach the identity provider',
};

/** Creates the rate limits of the settings; a quota of 0 means no limit. Calls that reach the identity provider are counted exactly, because it is slow. */
export function createRateLimits({ settings, redis, windowSeconds = 1, onRefused }: RateLimitsOptions): RateLimits {
  const quotas: Record<RateLimitName, number> = {
    address: settings.RATE_LIMIT_ADDRESS_PER_SECOND,
    caller: settings.RATE_LIMIT_CALLER_PER_SECOND,
    identity: settings.RATE_LIMIT_IDENTITY_PER_SECOND,
  };

  function countAgainst(name: RateLimitName, quota: number): CountRequest {
    const limit = new RateLimit({ name, quota, windowSeconds, redis, isExact: name === 'identity' });
    const check = (target: HeaderTarget, status: RateLimitStatus) => {
      setRateLimitHeaders(target, status);
      if (!status.isOver) return;
      onRefused(name);
      throw new ProblemError('RATE_LIMITED', { detail: detailOf(status, subjects[name]) });
    };
    return (key, target, requests) => {
      const status = limit.count(key, requests);
      return status instanceof Promise ? status.then((counted) => check(target, counted)) : check(target, status);
    };
  }

  const limited = (Object.keys(quotas) as RateLimitName[]).filter((name) => quotas[name] > 0);
  return Object.fromEntries(limited.map((name) => [name, countAgainst(name, quotas[name])]));
}

/** The headers of draft-ietf-httpapi-ratelimit-headers. The strictest limit is counted last, so it is the one that they show. */
function setRateLimitHeaders(target: HeaderTarget, { limit, quota, windowSeconds, remaining, resetSeconds }: RateLimitStatus): void {
  target.setHeader('ratelimit-policy', `"${limit}";q=${quota};w=${windowSeconds}`);
  target.setHeader('ratelimit', `"${limit}";r=${remaining};t=${resetSeconds}`);
}

const detailOf = ({ quota, windowSeconds }: RateLimitStatus, subject: string): string =>
  `Rate limit exceeded for ${subject}: ${quota} requests in ${seconds(windowSeconds)}. Retry after ${seconds(windowSeconds)}.`;

const seconds = (count: number): string => (count === 1 ? '1 second' : `${count} seconds`);
