import type { AnyHandler } from '../handler.ts';
import type { RequestContext } from '../context.ts';

/** Returns the handler's precheck, which does nothing if the handler has none. */
export function precheck(handler: AnyHandler): (context: RequestContext) => Promise<void> {
  const run = handler.precheck as unknown as ((context: RequestContext) => Promise<unknown>) | undefined;
  return async (context) => void (await run?.(context));
}
