import { defineStep } from '../step.ts';

/** Runs a handler. Returns what it returns. */
export const handle = defineStep(
  'handle',
  (_context, handler: { run(context: never, checked: unknown): Promise<unknown> }, handlerContext: object, checked?: unknown) =>
    handler.run(handlerContext as never, checked),
);
