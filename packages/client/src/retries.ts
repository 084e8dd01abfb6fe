import { type Connection, pinTenant, type TenantId } from './connection.ts';
import { isProfileError, type ProfileError } from './error.ts';
import { aborted, toProfileError } from './error-from.ts';

/**
 * Which failures are retried.
 * - `repeatable`: every failure after which another attempt may succeed. For calls that change nothing if they are repeated: queries, and calls with an
 *   idempotency key.
 * - `unless-done`: only 429, after which certainly nothing was done. After 503 or a broken connection the change may have been committed, and another attempt
 *   would fail with 412 or 404.
 * - `endless`: as `repeatable`, and temporary failures of the token endpoint, without a limit of attempts and of Retry-After. For polling.
 */
export type RetryPolicy = 'repeatable' | 'unless-done' | 'endless';

const temporaryStatuses: readonly (number | undefined)[] = [429, 502, 503, 504];
const temporaryCodes: readonly string[] = ['CONNECTION_FAILED', 'IDEMPOTENCY_KEY_IN_PROGRESS'];
const firstPauseMs = 200;
/** Limit of the client's own pause. A longer Retry-After is for the caller to decide. */
const maxPauseMs = 10_000;

/** Returns the milliseconds to wait before the next attempt, or undefined if there is to be none. @param attempt number of the failed attempt, from 1 */
function pauseAfter(error: ProfileError, attempt: number, policy: RetryPolicy): number | undefined {
  if (!isTemporary(error, policy)) return undefined;
  const stated = (error.retryAfter ?? 0) * 1000;
  if (stated > maxPauseMs && policy !== 'endless') return undefined;
  return spread(Math.max(stated, Math.min(firstPauseMs * 2 ** (attempt - 1), maxPauseMs)));
}

/** Lengthens a pause at random: clients that failed together do not return together. */
const spread = (ms: number): number => ms * (1 + Math.random() / 2);

function isTemporary({ status, code, cause }: ProfileError, policy: RetryPolicy): boolean {
  if (policy === 'unless-done') return status === 429;
  if (policy === 'endless' && code === 'TOKEN_FAILED') return isProfileError(cause) && isTemporary(cause, policy);
  return temporaryStatuses.includes(status) || temporaryCodes.includes(code);
}

export interface RetryOptions {
  connection: Pick<Connection, 'maxAttempts' | 'readTenant'>;
  policy: RetryPolicy;
  signal: AbortSignal | null | undefined;
}

/**
 * Repeats an attempt that fails. Reads the active tenant before the first attempt, at once, so that all attempts go to the tenant that was active when the call
 * was made.
 * @throws ProfileError of the last attempt, or ABORTED as soon as the signal aborts
 */
export async function retry<T>(
  { connection: { maxAttempts, readTenant }, policy, signal }: RetryOptions,
  attempt: (tenantId: TenantId) => Promise<T>,
): Promise<T> {
  if (signal?.aborted) throw aborted(signal);
  const read = readTenant();
  // Without a promise, the first attempt begins at once, so that calls of one tick keep their order in a batch.
  const tenantId = read instanceof Promise ? await unlessAborted(signal, () => read) : read;
  for (let number = 1; ; number += 1) {
    try {
      return await unlessAborted(signal, () => attempt(tenantId));
    } catch (thrown) {
      const error = toProfileError(thrown);
      const pause = number < maxAttempts || policy === 'endless' ? pauseAfter(error, number, policy) : undefined;
      if (pause === undefined) throw error;
      await wait(pause, signal);
    }
  }
}

/**
 * Returns a function that repeats attempts without end while their failures are temporary. Reads the active tenant before the first attempt, and never again.
 * @throws ProfileError of the last attempt, or ABORTED as soon as the signal aborts
 */
export function endlessly(
  connection: Connection,
  signal: AbortSignal | undefined,
): <T>(attempt: (tenantId: TenantId) => Promise<T>) => Promise<T> {
  const pinned = pinTenant(connection);
  return (attempt) => retry({ connection: pinned, policy: 'endless', signal }, attempt);
}

/** Waits as long as before a second attempt. Rejects as soon as the signal aborts. */
export const pauseShortly = (signal: AbortSignal | undefined): Promise<void> => wait(spread(firstPauseMs), signal);

/** Waits. Rejects as soon as the signal aborts. */
export async function wait(ms: number, signal: RetryOptions['signal']): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    await unlessAborted(signal, () => new Promise((resolve) => (timer = setTimeout(resolve, ms))));
  } finally {
    clearTimeout(timer);
  }
}

/** Runs the work. Rejects as soon as the signal aborts. */
async function unlessAborted<T>(signal: AbortSignal | null | undefined, work: () => Promise<T>): Promise<T> {
  if (!signal) return await work();
  if (signal.aborted) throw aborted(signal);
  let abort = () => {};
  const abortion = new Promise<never>((_resolve, reject) => {
    abort = () => reject(aborted(signal));
    signal.addEventListener('abort', abort, { once: true });
  });
  try {
    return await Promise.race([work(), abortion]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
