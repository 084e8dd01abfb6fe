import { retryLink, type TRPCLink } from '@trpc/client';
import type { ProfileRouter } from './links.ts';
import { isKeyed } from './mutations.ts';
import { pauseAfter } from './retries.ts';

/** Repeats failed calls one by one, also those of a batch. @param maxAttempts attempts of a call in total; with 1, no key is added either */
export const retryLinks = (maxAttempts: number): TRPCLink<ProfileRouter>[] => (maxAttempts > 1 ? [keyLink, repeatLink(maxAttempts)] : []);

/** Adds an idempotency key to each POST that has none. All attempts of a call send the same key. */
const keyLink: TRPCLink<ProfileRouter> =
  () =>
  ({ op, next }) =>
    next(isKeyed(op.path) ? { ...op, input: withKey(op.input) } : op);

function withKey(input: unknown): unknown {
  const { idempotencyKey = crypto.randomUUID() } = input as { idempotencyKey?: string };
  return { ...(input as object), idempotencyKey };
}

/** If the signal of a call aborts during a pause, the call rejects at the end of the pause and sends nothing more. */
function repeatLink(maxAttempts: number): TRPCLink<ProfileRouter> {
  // tRPC does not pass the error to `retryDelayMs`. It calls it immediately after `retry`.
  let pause: number | undefined;
  return retryLink({
    retry: ({ op, error, attempts }) => {
      const policy = op.type === 'query' || isKeyed(op.path) ? 'repeatable' : 'unless-done';
      pause = attempts < maxAttempts && !op.signal?.aborted ? pauseAfter(error, attempts, policy) : undefined;
      return pause !== undefined;
    },
    retryDelayMs: () => pause ?? 0,
  });
}
