import type { RequestContext } from '../context.ts';
import { defineStep } from '../step.ts';

interface Checked {
  check?(context: never): Promise<unknown>;
}

/** Runs the check of a handler, if it has one. Returns what the check found, such as a locked row. */
export const check = async (context: RequestContext, handler: Checked, handlerContext: object): Promise<unknown> =>
  handler.check && runCheck(context, handler, handlerContext);

const runCheck = defineStep('check', (_context, handler: Checked, handlerContext: object) => handler.check?.(handlerContext as never));
