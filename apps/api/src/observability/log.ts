import type { ServerResponse } from 'node:http';
import type { Caller } from '@profile-service/auth';
import type { NamedEndpoint, ProblemError } from '@profile-service/contracts';
import { type DestinationStream, type Logger, pino } from 'pino';

export type Log = Logger;

/** Creates a log of JSON lines. @param level a pino level, or `silent` @param to standard output by default */
export const createLog = (level: string, to: DestinationStream = pino.destination(1)): Log =>
  pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime, serializers: { err: describeError } }, to);

/** Logs the kind of an error and its stack. Leaves out the `detail` of a database error, which quotes the row's values. */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { type: typeof error };
  const { code, constraint, table, column } = error as Error & Partial<Record<'code' | 'constraint' | 'table' | 'column', unknown>>;
  return { type: error.name, message: error.message, code, constraint, table, column, stack: error.stack };
}

/** What the log line of a request is made of. */
interface LoggedExchange {
  readonly requestId: string;
  readonly response: ServerResponse;
  /** From `performance.now()`. */
  readonly startedAt: number;
  readonly operation?: NamedEndpoint;
  readonly caller?: Caller;
  readonly problem?: ProblemError;
}

/** Writes one line per request: caller, operation and outcome. It never holds a token, an address or personal data. */
export function logExchange(log: Log, exchange: LoggedExchange, method: string): void {
  const { requestId, operation, caller, problem, response, startedAt } = exchange;
  const line = {
    requestId,
    operation: operation?.name,
    method,
    route: operation?.endpoint.path,
    caller: caller?.kind === 'user' ? caller.userId : caller?.clientId,
    tenant: caller?.kind === 'user' ? caller.tenant?.id : caller?.tenantId,
    // A client that disconnected early has not received a status.
    status: response.writableFinished ? response.statusCode : undefined,
    aborted: response.writableFinished ? undefined : true,
    code: problem?.code,
    durationMs: Math.round((performance.now() - startedAt) * 10) / 10,
  };
  if (problem?.status === 500) log.error({ ...line, err: problem.cause }, 'request');
  else if (problem?.status === 503) log.warn({ ...line, reason: String(problem.cause) }, 'request');
  else log.info(line, 'request');
}
