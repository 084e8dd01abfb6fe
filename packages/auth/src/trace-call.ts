/** Runs a call of another server, such as in a span of a trace. */
export type TraceCall = <T>(operation: string, work: () => T) => T;

export const untraced: TraceCall = (_operation, work) => work();
