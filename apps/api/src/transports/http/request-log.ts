import { activeTenantId } from '@profile-service/auth';
import type { ProblemError } from '@profile-service/contracts';
import type { Log } from '../../observability/log.ts';
import type { Exchange } from './exchange.ts';

/**
 * Logs one line per request: caller, operation and outcome. It never contains a token, an address or personal data. Successful health checks, which a platform
 * sends every second, are logged at the level debug. Early rejections in an overload are not logged.
 */
export function logRequest(log: Log, exchange: Exchange): void {
  const { request, requestId, operation, caller, problem, response, startedAt, isAborted } = exchange;
  if (exchange.isShed) return;
  const line = {
    requestId,
    operation: operation?.name,
    method: request.method,
    route: operation?.endpoint.path,
    caller: caller?.kind === 'user' ? caller.userId : caller?.clientId,
    tenant: caller && (activeTenantId(caller) ?? undefined),
    // A client that disconnected has received no status.
    status: isAborted ? undefined : response.statusCode,
    aborted: isAborted ? true : undefined,
    code: problem?.code,
    durationMs: Math.round((performance.now() - startedAt) * 10) / 10,
  };
  if (problem?.status === 500) log.error({ ...line, err: problem.cause }, 'request');
  else if (problem?.status === 503) log.warn({ ...line, reason: reasonOf(problem) }, 'request');
  else if (request.url?.startsWith('/health/')) log.debug(line, 'request');
  else log.info(line, 'request');
}

/** A failure of a dependency has the original error as its cause. An overload has none. */
const reasonOf = ({ cause, message }: ProblemError): string => (cause instanceof Error ? String(cause) : message);
