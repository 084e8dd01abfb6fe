import type { TRPCLink } from '@trpc/client';
import { observable, type Unsubscribable } from '@trpc/server/observable';
import { type MutationKind, mutations } from './generated/mutations.ts';
import type { ProfileRouter } from './router.ts';
import { retry } from './retries.ts';

/**
 * Prepares, repeats and aborts calls one by one, also those of a batch. Every failure is a ProfileError.
 * @param maxAttempts attempts of a call in total; with 1, no idempotency key is added either
 */
export function callLink(maxAttempts: number): TRPCLink<ProfileRouter> {
  return () =>
    ({ op, next }) =>
      observable((observer) => {
        const kind = mutations[op.path];
        const input = kind === undefined ? op.input : prepare(op.input, kind, maxAttempts > 1);
        const policy = kind === undefined || kind === 'idempotent' ? 'repeatable' : 'unless-done';
        let current: Unsubscribable | undefined;
        const attempt = () =>
          new Promise<void>((resolve, reject) => {
            current = next({ ...op, input }).subscribe({ next: (result) => observer.next(result), error: reject, complete: resolve });
          });
        retry({ maxAttempts, policy, signal: op.signal }, attempt).then(
          () => observer.complete(),
          (error: unknown) => {
            current?.unsubscribe();
            observer.error(error as never);
          },
        );
        return () => current?.unsubscribe();
      });
}

/**
 * Prepares the input of a mutation. Sends the `etag` of the record that was read as `ifMatch`, unless that is given. Adds an idempotency key, unless that is
 * given. All attempts of a call send the same key.
 */
function prepare(input: unknown, kind: MutationKind, isRepeated: boolean): unknown {
  if (typeof input !== 'object' || input === null) return input;
  const { etag, ...rest } = input as { etag?: unknown; ifMatch?: unknown; idempotencyKey?: unknown };
  if (kind === 'conditional' && etag !== undefined && rest.ifMatch === undefined) return { ...rest, ifMatch: etag };
  if (kind === 'idempotent' && isRepeated && rest.idempotencyKey === undefined) return { ...rest, idempotencyKey: crypto.randomUUID() };
  return rest;
}
