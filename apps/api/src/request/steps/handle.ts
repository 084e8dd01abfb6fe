import type { Endpoint } from '@profile-service/contracts';
import type { AnyHandler } from '../handler.ts';
import type { RequestContext } from '../context.ts';
import { rowEncoderOf } from '../list-output.ts';
import { defineStep, type Step } from '../run.ts';

/** Runs the endpoint's handler and sets `output` to what it returns. */
export function handle(endpoint: Endpoint, handler: AnyHandler): Step {
  const encodeRow = rowEncoderOf(endpoint);
  const run = handler as unknown as (context: RequestContext) => Promise<unknown>;
  return defineStep('handle', (context) => {
    context.encodeRow = encodeRow;
    return run(context).then((output) => void (context.output = output));
  });
}
