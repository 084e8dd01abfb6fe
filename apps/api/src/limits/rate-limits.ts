import type { RedisConnection } from '@profile-service/auth';
import { ProblemError } from '@profile-service/contracts';
import type { Settings } from '../settings.ts';
import { RateLimit, type RateLimitStatus } from './rate-limit.ts';

/** Told how somebody stands with a limit, for the headers of the answer. */
export type ShowRateLimit = (status: RateLimitStatus) => void;

/**
 * Counts requests of a key against a limit, and shows how it stands, also where it is over.
 * @throws RATE_LIMITED
 */
export type CountRequest = (key: string, show: ShowRateLimit, requests?: number) => Promise<void>;

export type RateLimitName = 'address' | 'caller' | 'identity';
/** Absent: there is no such limit. */
export type RateLimits = Partial<Record<RateLimitName, CountRequest>>;

export interface RateLimitsOptions {
  settings: Settings;
  redis: RedisConnection | undefined;
  windowSeconds?: number | undefined;
  /** Told of each refusal, for the metrics. */
  onRefused(limit: RateLimitName): void;
}

/** The limits of the settings; 0 is none. What reaches the identity provider is counted exactly, since it is slow itself. */
export function createRateLimits({ settings, redis, windowSeconds = 1, onRefused }: RateLimitsOptions): RateLimits {
  const quotas: Record<RateLimitName, number> = {
    address: settings.RATE_LIMIT_ADDRESS_PER_SECOND,
    caller: settings.RATE_LIMIT_CALLER_PER_SECOND,
    identity: settings.RATE_LIMIT_IDENTITY_PER_SECOND,
  };

  function admission(name: RateLimitName, quota: number): CountRequest {
    const limit = new RateLimit({ name, quota, windowSeconds, redis, isExact: name === 'identity' });
    return async (key, show, requests) => {
      const status = await limit.count(key, requests);
      show(status);
      if (!status.isOver) return;
      onRefused(name);
      throw new ProblemError('RATE_LIMITED');
    };
  }

  const limited = (Object.keys(quotas) as RateLimitName[]).filter((name) => quotas[name] > 0);
  return Object.fromEntries(limited.map((name) => [name, admission(name, quotas[name])]));
}
