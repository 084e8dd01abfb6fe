import { type DestinationStream, type Logger, pino } from 'pino';

export type Log = Logger;

/**
 * Creates a log that writes JSON lines.
 * @param level one of pino's levels, or `silent`
 * @param to default: standard output
 */
export const createLog = (level: string, to: DestinationStream = pino.destination(1)): Log =>
  pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime, serializers: { err: describeError } }, to);

/** Describes an error without the data that it is about: the `detail` of a database error contains column values. */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { type: typeof error };
  const { code, constraint, table, column } = error as Error & Partial<Record<'code' | 'constraint' | 'table' | 'column', unknown>>;
  return { type: error.name, message: error.message, code, constraint, table, column, stack: error.stack };
}
