import type { ConcurrencyLimit } from '../../limits/concurrency-limit.ts';
import { tenantKey } from '../../limits/keys.ts';
import { runSteps, type Step } from '../run.ts';

/**
 * Runs the steps while the call holds one of its tenant's database slots.
 * @param afterWait run first when the call had to wait: what was true before the wait may have changed
 * @throws RATE_LIMITED when no slot is free in time
 */
export function withDatabaseSlot(limit: ConcurrencyLimit, afterWait: readonly Step[], steps: readonly Step[]): Step {
  const stepsAfterWait = [...afterWait, ...steps];
  return (context) =>
    limit.run(tenantKey(context.caller), context, (hasWaited) => {
      // A call whose client is gone does not start; a write that has started runs to its end.
      context.signal.throwIfAborted();
      context.call.beforeHandler?.();
      return runSteps(context, hasWaited ? stepsAfterWait : steps);
    });
}
