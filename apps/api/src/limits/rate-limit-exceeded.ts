import { ProblemError } from '@profile-service/contracts';
import type { RateLimitStatus } from './rate-limit.ts';

const subjects: Record<string, string> = {
  address: 'this address',
  caller: 'this caller',
  identity: "this caller's requests that use the identity provider",
};

/** The problem of a request over a rate limit. Its detail names the limit with its value. */
export function rateLimitExceeded({ limit, quota, windowSeconds, resetSeconds }: RateLimitStatus): ProblemError {
  const window = windowSeconds === 1 ? 'second' : `${windowSeconds} seconds`;
  const retry = resetSeconds === 1 ? '1 second' : `${resetSeconds} seconds`;
  const detail = `Rate limit exceeded for ${subjects[limit] ?? limit}: ${quota} requests per ${window}. Retry after ${retry}.`;
  return new ProblemError('RATE_LIMITED', { detail });
}
