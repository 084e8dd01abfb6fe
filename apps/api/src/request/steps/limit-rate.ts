import type { Claims } from '@profile-service/auth';
import { callerKind } from '../caller-kind.ts';
import { callerKey } from '../limits/keys.ts';
import type { CountExactly } from '../limits/rate-limits.ts';
import { defineStep } from '../step.ts';

/**
 * Counts the call against a rate limit of its caller. Runs before the caller is loaded, so that unknown callers are limited too (D-26, D-27). Throws
 * RATE_LIMITED.
 */
export const limitRate = defineStep('limit-rate', (context, count: CountExactly, claims: Claims) =>
  count(callerKey(callerKind(context.endpoint), claims), context),
);
