import type { RequestContext } from './context.ts';

/** Defines a step of a request. In traces, each run is a span with this name. */
export const defineStep =
  <Args extends unknown[], Result>(
    name: string,
    run: (context: RequestContext, ...args: Args) => Result,
  ): ((context: RequestContext, ...args: Args) => Result) =>
  (context, ...args) =>
    context.tracing ? context.tracing.inSpan(name, () => run(context, ...args)) : run(context, ...args);
