import type { TRPCLink } from '@trpc/client';
import { observable, type Unsubscribable } from '@trpc/server/observable';
import type { Connection, TenantId } from './connection.ts';
import { toProfileError } from './error-from.ts';
import { type MutationKind, mutations } from './generated/mutations.ts';
import { contextOf } from './request-link.ts';
import type { ProfileRouter } from './router.ts';
import { retry } from './retries.ts';
import { randomUuid } from './uuid.ts';

/** Prepares, repeats and aborts calls one by one, also those of a batch. Every failure is a ProfileError. */
export function callLink(connection: Connection): TRPCLink<ProfileRouter> {
  return () =>
    ({ op, next }) =>
      observable((observer) => {
        const kind = mutations[op.path];
        let current: Unsubscribable | undefined;
        const call = async () => {
          const input = kind === undefined ? op.input : prepare(op.input, kind, connection.maxAttempts > 1);
          const send = (tenantId: TenantId, isAlone = false) =>
            new Promise<void>((resolve, reject) => {
              const prepared = { ...op, input, context: { ...op.context, ...contextOf(tenantId, isAlone) } };
              current = next(prepared).subscribe({ next: (result) => observer.next(result), error: reject, complete: resolve });
            });
          const attempt = async (tenantId: TenantId) => {
            try {
              await send(tenantId);
            } catch (error) {
              // The responses of a batch are limited together. A query alone may have a response of any size.
              if (kind !== undefined || toProfileError(error).code !== 'PAYLOAD_TOO_LARGE') throw error;
              await send(tenantId, true);
            }
          };
          const policy = kind === undefined || kind === 'idempotent' ? 'repeatable' : 'unless-done';
          await retry({ connection, policy, signal: op.signal }, attempt);
        };
        call().then(
          () => observer.complete(),
          (error: unknown) => {
            current?.unsubscribe();
            observer.error(toProfileError(error) as never);
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
  if (kind === 'idempotent' && isRepeated && rest.idempotencyKey === undefined) return { ...rest, idempotencyKey: randomUuid() };
  return rest;
}
