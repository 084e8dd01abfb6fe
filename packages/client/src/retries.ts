import { parseRetryAfter } from './problem.ts';

/** What a failed attempt tells about the next one. */
interface Failure {
  /** Undefined if there is no response, or one that is not from the service. */
  status: number | undefined;
  code: string | undefined;
  /** Seconds. */
  retryAfter: number | undefined;
}

/**
 * Which failures are retried.
 * - `repeatable`: every failure after which another attempt may succeed. For calls that change nothing if they are repeated: queries, and calls with an
 *   idempotency key.
 * - `unless-done`: only 429, after which certainly nothing was done. After 503 or a broken connection the change may have been committed, and another attempt
 *   would fail with 412 or 404.
 */
export type RetryPolicy = 'repeatable' | 'unless-done';

const temporaryStatuses: readonly (number | undefined)[] = [undefined, 429, 502, 503, 504];
const firstPauseMs = 200;
/** A longer Retry-After is for the caller to decide. */
const maxPauseMs = 10_000;

/** Returns the milliseconds to wait before the next attempt, or undefined if there is to be none. @param attempt number of the failed attempt, from 1 */
export function pauseAfter(error: unknown, attempt: number, policy: RetryPolicy): number | undefined {
  const failure = failureOf(error);
  if (!failure || !isTemporary(failure, policy)) return undefined;
  const pause = Math.max((failure.retryAfter ?? 0) * 1000, firstPauseMs * 2 ** (attempt - 1));
  // Clients that failed together do not return together.
  return pause > maxPauseMs ? undefined : pause * (1 + Math.random() / 2);
}

const isTemporary = ({ status, code }: Failure, policy: RetryPolicy): boolean =>
  policy === 'unless-done' ? status === 429 : temporaryStatuses.includes(status) || code === 'IDEMPOTENCY_KEY_IN_PROGRESS';

interface ErrorLike {
  name?: unknown;
  cause?: unknown;
  status?: number;
  retryAfter?: number;
  problem?: { code?: string };
  data?: { httpStatus?: number; problem?: { code?: string } } | null;
  meta?: { response?: { headers?: Headers } };
}

/** Returns undefined for errors that are not about the network or the response, such as those of `token`. */
function failureOf(thrown: unknown): Failure | undefined {
  const error = thrown as ErrorLike;
  // Of uploads and downloads.
  if (error.name === 'ProfileResponseError') return { status: error.status, code: error.problem?.code, retryAfter: error.retryAfter };
  // Of procedures.
  if (error.data) {
    const retryAfter = parseRetryAfter(error.meta?.response?.headers?.get('retry-after'));
    return { status: error.data.httpStatus, code: error.data.problem?.code, retryAfter };
  }
  // `fetch` throws a TypeError without a response. Parsing the page of a proxy throws a SyntaxError. For procedures, both are causes.
  const names = [error.name, (error.cause as ErrorLike | undefined)?.name];
  const isUnanswered = names.includes('TypeError') || names.includes('SyntaxError');
  return isUnanswered ? { status: undefined, code: undefined, retryAfter: undefined } : undefined;
}

/** Repeats an attempt that fails, up to `maxAttempts` attempts in total. Throws the last error, or the reason of the signal. */
export async function retry<T>(maxAttempts: number, signal: AbortSignal | undefined, attempt: () => Promise<T>): Promise<T> {
  for (let number = 1; ; number += 1) {
    try {
      return await attempt();
    } catch (error) {
      const pause = number < maxAttempts && !signal?.aborted ? pauseAfter(error, number, 'repeatable') : undefined;
      if (pause === undefined) throw error;
      await wait(pause, signal);
    }
  }
}

/** Waits. Rejects with the reason of the signal when it aborts. */
function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', abort, { once: true });
  });
}
