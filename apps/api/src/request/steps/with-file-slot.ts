import type { ConcurrencyLimit } from '../limits/concurrency-limit.ts';
import { tenantKey } from '../limits/keys.ts';
import { defineStep, runSteps, type Step } from '../run.ts';

/** Runs the steps in one of the tenant's slots for uploads or downloads (D-29). Throws RATE_LIMITED when none is free in time. */
export const withFileSlot = (limit: ConcurrencyLimit, steps: readonly Step[]): Step =>
  defineStep('with-file-slot', (context) => limit.run(tenantKey(context.caller), context.abort, () => runSteps(context, steps)));
