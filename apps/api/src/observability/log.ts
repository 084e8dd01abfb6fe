import { type DestinationStream, type Logger, pino } from 'pino';
import type { Exchange } from '../transports/http/exchange.ts';

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

/** The one line of a request: who asked for what and how it went; never a token, an address or a personal datum. */
export function logExchange(log: Log, exchange: Exchange, method: string): void {
  const { requestId, operation, caller, problem, response, startedAt } = exchange;
  const line = {
    requestId,
    operation: operation?.name,
    method,
    route: operation?.endpoint.path,
    caller: caller?.kind === 'user' ? caller.userId : caller?.clientId,
    tenant: caller?.kind === 'user' ? caller.tenant?.id : caller?.tenantId,
    // A client that went before it was answered has seen no status.
    status: response.writableFinished ? response.statusCode : undefined,
    aborted: response.writableFinished ? undefined : true,
    code: problem?.code,
    durationMs: Math.round((performance.now() - startedAt) * 10) / 10,
  };
  if (problem?.status === 500) log.error({ ...line, err: problem.cause }, 'request');
  else if (problem?.status === 503) log.warn({ ...line, reason: String(problem.cause) }, 'request');
  else log.info(line, 'request');
}
