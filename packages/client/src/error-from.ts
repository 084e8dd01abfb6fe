import { TRPCClientError } from '@trpc/client';
import { isProfileError, ProfileError, type ProfileErrorDetails } from './error.ts';
import type { Problem } from './generated/models.ts';
import type { ProfileRouter } from './router.ts';

/** The head of a response, of `fetch` or of XMLHttpRequest. */
export interface ResponseHead {
  status: number;
  headers: { get(name: string): string | null };
}

/** Builds the error of a problem document. */
export const fromProblem = (problem: Problem, headers?: ResponseHead['headers'], shape?: ProfileErrorDetails['shape']): ProfileError =>
  new ProfileError({
    code: problem.code,
    message: problem.detail,
    status: problem.status,
    requestId: problem.instance,
    problem,
    retryAfter: parseRetryAfter(headers?.get('retry-after')),
    shape,
  });

/** Builds the error of a response that is not from the service. */
export const invalidResponse = ({ status, headers }: ResponseHead, cause?: unknown): ProfileError =>
  new ProfileError({
    code: 'INVALID_RESPONSE',
    message: `The response with status ${status} is not from the service`,
    status,
    requestId: headers.get('x-request-id') ?? undefined,
    retryAfter: parseRetryAfter(headers.get('retry-after')),
    cause,
  });

/** Builds the error of a request without a response, or with a broken one. */
export function connectionFailed(cause: unknown, signal: AbortSignal | null | undefined): ProfileError {
  return signal?.aborted
    ? aborted(signal)
    : new ProfileError({ code: 'CONNECTION_FAILED', message: `The connection to the service failed: ${networkReasonOf(cause)}`, cause });
}

/** Returns the error of a request that `fetch` never accepts, or undefined if the request is valid. The error contains no secrets and no input. */
export function invalidRequest(url: string | undefined, headers: RequestInit['headers']): ProfileError | undefined {
  if (!isValid(() => new Headers(headers)))
    return new ProfileError({ code: 'CLIENT_ERROR', message: 'The token, the tenant or the idempotency key is not a valid header value' });
  // A relative URL is valid in a browser.
  if (url === undefined || isValid(() => new Request(url).url.startsWith('http') || undefined)) return undefined;
  const shown = url.replace(/\?.*/, '').replace(/\/\/[^/@]*@/, '//***@');
  return new ProfileError({
    code: 'CLIENT_ERROR',
    message: `The URL of the service is invalid: ${shown}. It must be an http or https URL without a password`,
  });
}

/** Whether it returns a value and does not throw. */
function isValid(build: () => unknown): boolean {
  try {
    return build() !== undefined;
  } catch {
    return false;
  }
}

/** Builds the error of an aborted call. */
export const aborted = ({ reason }: AbortSignal): ProfileError =>
  new ProfileError({ code: 'ABORTED', message: `The call was aborted: ${messageOf(reason)}`, cause: reason });

/** Converts what a tRPC link or an attempt threw. A ProfileError stays as it is. */
export function toProfileError(thrown: unknown): ProfileError {
  if (isProfileError(thrown)) return thrown;
  if (thrown instanceof TRPCClientError) {
    const { shape, meta, cause, message } = thrown as TRPCClientError<ProfileRouter>;
    const response = meta?.['response'] as Response | undefined;
    const problem = (shape as { data?: { problem?: Problem } } | undefined)?.data?.problem;
    if (problem) return fromProblem(problem, response?.headers, shape);
    if (response) return invalidResponse(response, cause);
    return new ProfileError({ code: 'CLIENT_ERROR', message, cause });
  }
  return new ProfileError({ code: 'CLIENT_ERROR', message: messageOf(thrown), cause: thrown });
}

/** The message of a thrown value. */
export const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));

/** The message of an error of `fetch`. In Node, only its cause says more than "fetch failed". */
export function networkReasonOf(thrown: unknown): string {
  const { cause } = (thrown ?? {}) as { cause?: { message?: string; code?: string } };
  // The error of all addresses of a host has a code, but no message.
  const reason = cause?.message || cause?.code;
  return reason ? `${messageOf(thrown)} (${reason})` : messageOf(thrown);
}

/** Parses Retry-After: the seconds that the service sends, or a date as a proxy may send it. */
function parseRetryAfter(value: string | null | undefined): number | undefined {
  if (!value) return undefined;
  const seconds = /^\d+$/.test(value) ? Number(value) : Math.ceil((Date.parse(value) - Date.now()) / 1000);
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}
