import type { ConcurrencyLimit } from '../../limits/concurrency-limit.ts';
import { tenantKey } from '../../limits/keys.ts';
import { defineStep, runSteps, type Step } from '../run.ts';

/**
 * Runs the steps in one of the tenant's database slots (D-29).
 * @param afterWait steps that run first if the call had to wait for the slot: permissions may have changed meanwhile
 * @throws RATE_LIMITED when no slot is free in time
 */
export function withDatabaseSlot(limit: ConcurrencyLimit, afterWait: readonly Step[], steps: readonly Step[]): Step {
  const stepsAfterWait = [...afterWait, ...steps];
  return defineStep('with-database-slot', (context) =>
    limit.run(tenantKey(context.caller), context.abort, (hasWaited) => {
      // Do not start for a client that has disconnected. A write that has started runs to its end.
      context.abort.throwIfAborted();
      context.call.beforeHandler?.();
      return runSteps(context, hasWaited ? stepsAfterWait : steps);
    }),
  );
}
