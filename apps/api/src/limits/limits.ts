import type { RedisConnection } from '@profile-service/auth';
import { ProblemError } from '@profile-service/contracts';
import type { Settings } from '../settings.ts';
import { Limit, type Standing } from './limit.ts';

/** Told how somebody stands with a limit, for the headers of the answer. */
export type ShowStanding = (standing: Standing) => void;

/**
 * Counts requests of a key against a limit, and shows how it stands, also where it is over.
 * @throws RATE_LIMITED
 */
export type Admit = (key: string, show: ShowStanding, requests?: number) => Promise<void>;

export type LimitName = 'address' | 'caller' | 'identity';
/** Absent: there is no such limit. */
export type Limits = Partial<Record<LimitName, Admit>>;

export interface LimitsOptions {
  settings: Settings;
  redis: RedisConnection | undefined;
  windowSeconds?: number | undefined;
  /** Told of each refusal, for the metrics. */
  onRefused(limit: LimitName): void;
}

/** The limits of the settings; 0 is none. What reaches the identity provider is counted exactly, since it is slow itself. */
export function createLimits({ settings, redis, windowSeconds = 1, onRefused }: LimitsOptions): Limits {
  const quotas: Record<LimitName, number> = {
    address: settings.RATE_LIMIT_ADDRESS_PER_SECOND,
    caller: settings.RATE_LIMIT_CALLER_PER_SECOND,
    identity: settings.RATE_LIMIT_IDENTITY_PER_SECOND,
  };

  function admission(name: LimitName, quota: number): Admit {
    const limit = new Limit({ name, quota, windowSeconds, redis, isExact: name === 'identity' });
    return async (key, show, requests) => {
      const standing = await limit.count(key, requests);
      show(standing);
      if (!standing.isOver) return;
      onRefused(name);
      throw new ProblemError('RATE_LIMITED');
    };
  }

  const limited = (Object.keys(quotas) as LimitName[]).filter((name) => quotas[name] > 0);
  return Object.fromEntries(limited.map((name) => [name, admission(name, quotas[name])]));
}
