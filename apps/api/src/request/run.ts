import type { RequestContext } from './context.ts';

type RunStep = (context: RequestContext) => void | Promise<void>;

/** A step of an operation. It returns a promise only if it has to wait. It throws a `ProblemError` to reject the call. */
export type Step = RunStep & {
  /** The name of its span in traces: the name of its file. */
  readonly stepName: string;
};

/** Creates a step. @param stepName the name of its span in traces */
export const defineStep = (stepName: string, run: RunStep): Step => Object.assign(run, { stepName });

/** Runs the steps in order. It awaits only promises, so the other steps run synchronously. @param from index of the first step to run */
export function runSteps(context: RequestContext, steps: readonly Step[], from = 0): void | Promise<void> {
  for (let index = from; index < steps.length; index += 1) {
    const step = steps[index] as Step;
    const pending = context.tracing ? context.tracing.inSpan(step.stepName, () => step(context)) : step(context);
    if (pending instanceof Promise) return pending.then(() => runSteps(context, steps, index + 1));
  }
}
