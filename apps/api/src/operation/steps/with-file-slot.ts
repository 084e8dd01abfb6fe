import type { ConcurrencyLimit } from '../../limits/concurrency-limit.ts';
import { tenantKey } from '../../limits/keys.ts';
import { runSteps, type Step } from '../run.ts';

/** Runs the steps while the call holds one of its tenant's slots for uploads or downloads. Throws RATE_LIMITED. */
export const withFileSlot =
  (limit: ConcurrencyLimit, steps: readonly Step[]): Step =>
  (context) =>
    limit.run(tenantKey(context.caller), context, () => runSteps(context, steps));
