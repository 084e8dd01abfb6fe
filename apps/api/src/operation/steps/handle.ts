import type { AnyHandler } from '../../handler/handler.ts';
import type { RequestContext } from '../context.ts';
import { defineStep, type Step } from '../run.ts';

/** Runs the endpoint's handler and sets `output` to what it returns. */
export function handle(handler: AnyHandler): Step {
  const run = handler as unknown as (context: RequestContext) => Promise<unknown>;
  return defineStep('handle', (context) => run(context).then((output) => void (context.output = output)));
}
