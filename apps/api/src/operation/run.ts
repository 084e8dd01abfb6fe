import type { RequestContext } from './context.ts';

/** A step of an operation. It returns a promise only if it has to wait. It throws a `ProblemError` to reject the call. */
export type Step = (context: RequestContext) => void | Promise<void>;

/** Runs the steps in order. It awaits only promises, so the other steps run synchronously. @param from index of the first step to run */
export function runSteps(context: RequestContext, steps: readonly Step[], from = 0): void | Promise<void> {
  for (let index = from; index < steps.length; index += 1) {
    const pending = steps[index]?.(context);
    if (pending instanceof Promise) return pending.then(() => runSteps(context, steps, index + 1));
  }
}
