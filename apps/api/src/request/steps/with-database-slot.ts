import type { Admission } from '../limits/admission.ts';
import { tenantKey } from '../limits/keys.ts';
import { defineStep, runSteps, type Step } from '../run.ts';

/**
 * Runs the steps in one of the tenant's database slots (D-29).
 * @param afterWait steps that run first if the call had to wait for the slot: permissions may have changed meanwhile
 * @throws SERVICE_UNAVAILABLE when the service is overloaded, RATE_LIMITED when none of the tenant's slots is free in time
 */
export function withDatabaseSlot(admission: Admission, afterWait: readonly Step[], steps: readonly Step[]): Step {
  const stepsAfterWait = [...afterWait, ...steps];
  return defineStep('with-database-slot', (context) =>
    admission.run(
      tenantKey(context.caller),
      context.abort,
      (hasWaited) => {
        // Do not start for a client that has disconnected. A write that has started runs to its end.
        context.abort.throwIfAborted();
        context.call.beforeHandler?.();
        context.hasStarted = true;
        return runSteps(context, hasWaited ? stepsAfterWait : steps);
      },
      context.hasStarted,
    ),
  );
}
