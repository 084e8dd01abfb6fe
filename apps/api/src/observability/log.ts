import { type DestinationStream, type Logger, pino } from 'pino';
import type { Exchange } from '../transports/http/exchange.ts';

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

/** Writes the line of a request: caller, operation and outcome. It contains no token, no IP address and no personal data. */
export function logExchange(log: Log, exchange: Exchange, method: string): void {
  const { requestId, operation, caller, problem, response, startedAt } = exchange;
  const line = {
    requestId,
    operation: operation?.name,
    method,
    route: operation?.endpoint.path,
    caller: caller?.kind === 'user' ? caller.userId : caller?.clientId,
    tenant: caller?.kind === 'user' ? caller.tenant?.id : caller?.tenantId,
    // A client that disconnected before the end of the response has seen no status.
    status: response.writableFinished ? response.statusCode : undefined,
    aborted: response.writableFinished ? undefined : true,
    code: problem?.code,
    durationMs: Math.round((performance.now() - startedAt) * 10) / 10,
  };
  if (problem?.status === 500) log.error({ ...line, err: problem.cause }, 'request');
  else if (problem?.status === 503) log.warn({ ...line, reason: String(problem.cause) }, 'request');
  else log.info(line, 'request');
}
