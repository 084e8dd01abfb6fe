import { type DestinationStream, type Logger, pino } from 'pino';

export type Log = Logger;

/** Creates a log that writes JSON lines. @param level one of pino's levels, or `silent` @param to standard output by default */
export const createLog = (level: string, to: DestinationStream = pino.destination(1)): Log =>
  pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime, serializers: { err: describeFault } }, to);

/** Describes an error without the data that it is about: the `detail` of a database error quotes column values. */
function describeFault(fault: unknown): object {
  if (!(fault instanceof Error)) return { type: typeof fault };
  const { code, constraint, table, column } = fault as Error & Partial<Record<'code' | 'constraint' | 'table' | 'column', unknown>>;
  return { type: fault.name, message: fault.message, code, constraint, table, column, stack: fault.stack };
}
