import { type Logger, pino } from 'pino';
import type { Exchange } from '../http/exchange.ts';

export type Log = Logger;

/** JSON lines on standard output. @param level pino's names, or `silent` */
export const createLog = (level: string): Log => pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime });

/** The one line of a request: who asked for what and how it went; never a token, an address or a personal datum. */
export function logExchange(log: Log, exchange: Exchange, method: string): void {
  const { requestId, operation, caller, problem, response, startedAt } = exchange;
  const line = {
    requestId,
    operation: operation?.name,
    method,
    route: operation?.row.path,
    caller: caller?.kind === 'user' ? caller.userId : caller?.clientId,
    tenant: caller?.kind === 'user' ? caller.tenant?.id : caller?.tenantId,
    status: response.statusCode,
    code: problem?.code,
    durationMs: Math.round((performance.now() - startedAt) * 10) / 10,
  };
  if (problem?.status === 500) log.error({ ...line, err: problem.cause }, 'request');
  else if (problem?.status === 503) log.warn({ ...line, reason: String(problem.cause) }, 'request');
  else log.info(line, 'request');
}
