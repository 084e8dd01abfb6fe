import { TRPCClientError, type TRPCLink } from '@trpc/client';
import { observable, type Unsubscribable } from '@trpc/server/observable';
import type { ProfileRouter } from './links.ts';
import { isKeyed } from './mutations.ts';
import { pauseAfter, wait } from './retries.ts';

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

/** tRPC's `retryLink` knows neither Retry-After nor the signal of the call. */
const repeatLink =
  (maxAttempts: number): TRPCLink<ProfileRouter> =>
  () =>
  ({ op, next }) =>
    observable((observer) => {
      const policy = op.type === 'query' || isKeyed(op.path) ? 'repeatable' : 'unless-done';
      const signal = op.signal ?? undefined;
      let running: Unsubscribable | undefined;
      let isStopped = false;
      const attempt = (number: number): void => {
        if (isStopped) return;
        running = next(op).subscribe({
          next: (value) => observer.next(value),
          complete: () => observer.complete(),
          error: (error) => {
            const pause = number < maxAttempts && !signal?.aborted ? pauseAfter(error, number, policy) : undefined;
            if (pause === undefined) return observer.error(error);
            wait(pause, signal).then(
              () => attempt(number + 1),
              (reason: Error) => observer.error(TRPCClientError.from(reason)),
            );
          },
        });
      };
      attempt(1);
      return () => {
        isStopped = true;
        running?.unsubscribe();
      };
    });
