import type { RequestContext } from './context.ts';

/** One step of an operation. It returns a promise only when it has to wait. It throws a `ProblemError` to refuse the call. */
export type Step = (context: RequestContext) => void | Promise<void>;

/** Runs the steps in their order and waits only for promises, so steps that answer at once run synchronously. */
export function runSteps(context: RequestContext, steps: readonly Step[], from = 0): void | Promise<void> {
  for (let index = from; index < steps.length; index += 1) {
    const pending = steps[index]?.(context);
    if (pending instanceof Promise) return pending.then(() => runSteps(context, steps, index + 1));
  }
}
