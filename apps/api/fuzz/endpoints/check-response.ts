import { type ErrorCode, errors, errorsOf, type Endpoint } from '@profile-service/contracts';
import { problemFault, problemType, endpointAt, schemaFault, undeclared } from '../../test/support/declared.ts';
import type { Sent } from './sent.ts';
import type { Answer } from './http.ts';

/** The fault of the response: it is a 5xx error, or the OpenAPI document does not declare it. undefined if it has none. */
export function findFault(sent: Sent, answer: Answer): string | undefined {
  if (answer.status >= 500) return `${answer.status} ${JSON.stringify(answer.body)}`;
  if (answer.body instanceof SyntaxError) return answer.body.message;
  if (answer.requestId === undefined) return 'The response has no X-Request-Id';
  return sent.transport === 'REST' ? restFault(sent, answer) : trpcFault(sent, answer);
}

/** A random path may belong to another endpoint, or to none. */
function restFault({ method, target }: Sent, answer: Answer): string | undefined {
  const endpoint = endpointAt(method, target);
  if (endpoint) return undeclared(endpoint, answer);
  if (answer.type !== problemType) return `${answer.status} without an endpoint has the type ${answer.type}`;
  const { code } = answer.body as { code: ErrorCode };
  return (
    problemFault(answer.body) ?? (['ROUTE_NOT_FOUND', 'METHOD_NOT_ALLOWED'].includes(code) ? undefined : `${code} without an endpoint`)
  );
}

interface TrpcAnswer {
  result?: { data?: unknown };
  error?: { data: { httpStatus: number; problem: { code: ErrorCode; status: number } } };
}

function trpcFault({ named: { endpoint }, target }: Sent, { status, body }: Answer): string | undefined {
  if (!target.includes('batch=1')) return callFault(endpoint, body as TrpcAnswer, status);
  return Array.isArray(body)
    ? callFault(endpoint, (body as TrpcAnswer[])[0] ?? {}, status)
    : callFault(endpoint, body as TrpcAnswer, status);
}

function callFault(endpoint: Endpoint, { result, error }: TrpcAnswer, status: number): string | undefined {
  if (result) return status === 200 ? dataFault(endpoint, result.data) : `${status} with a result`;
  if (!error) return `${status} is no tRPC response`;
  const { problem, httpStatus } = error.data;
  if (problem.status !== status || httpStatus !== status || errors[problem.code].status !== status)
    return `${status} has a problem with status ${problem.status}`;
  const known: ErrorCode[] = [...errorsOf(endpoint), ...ofTransport];
  return problemFault(problem) ?? (known.includes(problem.code) ? undefined : `The endpoint does not declare ${problem.code}`);
}

/** Errors that the tRPC transport can cause at every endpoint. */
const ofTransport: readonly ErrorCode[] = ['METHOD_NOT_ALLOWED', 'VALIDATION_FAILED', 'UNSUPPORTED_MEDIA_TYPE', 'PAYLOAD_TOO_LARGE'];

function dataFault(endpoint: Endpoint, data: unknown): string | undefined {
  if (!endpoint.output) return data === undefined || data === null ? undefined : 'An endpoint without output has a result';
  const pointer = [
    'paths',
    endpoint.path,
    endpoint.method.toLowerCase(),
    'responses',
    String(endpoint.success),
    'content',
    'application/json',
    'schema',
  ];
  const fault = schemaFault(pointer, data);
  return fault && `${fault} in ${JSON.stringify(data)}`;
}
