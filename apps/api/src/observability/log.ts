import { type DestinationStream, type Logger, pino } from 'pino';

export type Log = Logger;

/** JSON lines. @param level pino's names, or `silent` @param to absent: standard output */
export const createLog = (level: string, to: DestinationStream = pino.destination(1)): Log =>
  pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime, serializers: { err: describeFault } }, to);

/** What a fault is and where, without what it is about: the detail of a database's error quotes the row. */
function describeFault(fault: unknown): object {
  if (!(fault instanceof Error)) return { type: typeof fault };
  const { code, constraint, table, column } = fault as Error & Partial<Record<'code' | 'constraint' | 'table' | 'column', unknown>>;
  return { type: fault.name, message: fault.message, code, constraint, table, column, stack: fault.stack };
}
