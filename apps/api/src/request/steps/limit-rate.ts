import { callerKey } from '../limits/keys.ts';
import type { CountExactly } from '../limits/rate-limits.ts';
import { defineStep, type Step } from '../run.ts';
import { callerKind } from '../caller-kind.ts';

/**
 * Counts the call against a rate limit of its caller. Runs before the caller is loaded, so that unknown callers are limited too (D-26, D-27). Throws
 * RATE_LIMITED.
 */
export const limitRate = (count: CountExactly): Step =>
  defineStep('limit-rate', (context) => count(callerKey(callerKind(context.endpoint), context.claims), context));
