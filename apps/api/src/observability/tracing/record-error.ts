import { type Span, SpanStatusCode } from '@opentelemetry/api';
import { ATTR_ERROR_TYPE } from '@opentelemetry/semantic-conventions';
import { errors, ProblemError } from '@profile-service/contracts';
import { errorCodeOf } from '@profile-service/db';

/**
 * Sets `error.type` to the code of the error. A message is never recorded, since it may contain values. The span fails unless the client caused the error, such
 * as NOT_ALLOWED, or has disconnected.
 */
export function recordError(span: Span, error: unknown): void {
  const problem = error instanceof ProblemError ? error.code : errorCodeOf(error);
  span.setAttribute(ATTR_ERROR_TYPE, problem ?? errorType(error));
  const isOfClient = problem ? errors[problem].status < 500 : error instanceof DOMException && error.name === 'AbortError';
  if (!isOfClient) span.setStatus({ code: SpanStatusCode.ERROR });
}

/** SQLSTATE, Node's code, or the HTTP status of a response, of the error or its cause; otherwise the name of the error's class. */
export function errorType(error: unknown): string {
  if (!(error instanceof Error)) return '_OTHER';
  const { code, response, $metadata } = error as Error & {
    code?: unknown;
    response?: { status?: unknown };
    $metadata?: { httpStatusCode?: unknown };
  };
  const found = error instanceof DOMException ? error.name : (code ?? response?.status ?? $metadata?.httpStatusCode);
  if (found === undefined && error.cause instanceof Error) return errorType(error.cause);
  const text = typeof found === 'string' || typeof found === 'number' ? String(found) : error.name;
  // Other servers choose the codes of their errors, so a code could be any text.
  return /^[\w.-]{1,64}$/.test(text) ? text : '_OTHER';
}
