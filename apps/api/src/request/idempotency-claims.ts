import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from '../observability/log.ts';
import {
  type ClaimedRequest,
  claimSeconds,
  type UnscopedDatabase,
  releaseIdempotencyKey,
  renewIdempotencyClaim,
} from '@profile-service/db';

/** The claims of the running requests of this process. It renews them, so that a claim can expire soon after a crash and still outlast a long upload. */
export interface IdempotencyClaims {
  /** Renews the claim until it is ended or released. */
  hold(request: ClaimedRequest): void;
  /** Ends a claim whose response was stored. */
  end(request: ClaimedRequest): void;
  /** Ends a claim whose request has failed, and frees the key. If the database is unavailable, it tries again until the claim has expired. */
  release(request: ClaimedRequest): Promise<void>;
  /** Stops the renewal. Claims that could not be released expire. */
  stop(): void;
}

/** Times in milliseconds. */
interface Times {
  /** Between two renewals. */
  renewMs?: number;
  /** Between two attempts to release claims. */
  retryMs?: number;
}

/** @param times default: renewals after a quarter of the time that a claim lasts, and an attempt to release every second */
export function createIdempotencyClaims(
  db: UnscopedDatabase,
  log: Log,
  { renewMs = (claimSeconds * 1000) / 4, retryMs = 1_000 }: Times = {},
): IdempotencyClaims {
  const held = new Set<ClaimedRequest>();
  /** Claims that could not be released, with the time of `performance.now()` when they have expired in any case. */
  const unreleased = new Map<ClaimedRequest, number>();
  let renewal: NodeJS.Timeout | undefined;
  const stopRenewal = () => {
    clearInterval(renewal);
    renewal = undefined;
  };
  const renewAll = async () => {
    const renewals = await Promise.allSettled([...held].map((request) => renewIdempotencyClaim(db, request)));
    const failed = renewals.filter(({ status }) => status === 'rejected').length;
    if (failed > 0) log.warn({ failed }, 'idempotency claims could not be renewed');
  };
  const end = (request: ClaimedRequest) => {
    held.delete(request);
    if (held.size === 0) stopRenewal();
  };
  /** Tries one claim after the other, and waits after a failure: a database that has just come back has other work. */
  const releaseAgain = async () => {
    while (unreleased.size > 0) {
      await pause(retryMs, undefined, { ref: false });
      for (const [request, expiresAt] of unreleased) {
        const isReleased = await releaseIdempotencyKey(db, request).then(
          () => true,
          () => false,
        );
        if (!isReleased && performance.now() < expiresAt) break;
        unreleased.delete(request);
      }
    }
  };

  return {
    hold(request) {
      held.add(request);
      renewal ??= setInterval(() => void renewAll(), renewMs).unref();
    },
    end,
    async release(request) {
      end(request);
      try {
        await releaseIdempotencyKey(db, request);
      } catch {
        unreleased.set(request, performance.now() + claimSeconds * 1000);
        if (unreleased.size === 1) void releaseAgain();
      }
    },
    stop() {
      stopRenewal();
      unreleased.clear();
    },
  };
}
