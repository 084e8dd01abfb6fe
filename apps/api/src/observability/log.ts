import { type DestinationStream, type Logger, pino } from 'pino';

export type Log = Logger;

/** Creates a log of JSON lines. @param level a pino level, or `silent` @param to standard output by default */
export const createLog = (level: string, to: DestinationStream = pino.destination(1)): Log =>
  pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime, serializers: { err: describeError } }, to);

/** Logs an error without the `detail` of a database error, which quotes the row's values. */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { type: typeof error };
  const { code, constraint, table, column } = error as Error & Partial<Record<'code' | 'constraint' | 'table' | 'column', unknown>>;
  return { type: error.name, message: error.message, code, constraint, table, column, stack: error.stack };
}
