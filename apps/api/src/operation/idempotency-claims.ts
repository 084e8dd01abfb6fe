import { type ClaimedRequest, claimSeconds, type HandlerDatabase, releaseIdempotencyKey, renewIdempotencyClaim } from '@profile-service/db';

/** A claim that the process renews, or that it could not release. */
interface HeldClaim {
  readonly request: ClaimedRequest;
  hasEnded: boolean;
  /** When an ended claim has expired in any case, in milliseconds of `performance.now()`. */
  expiresAt: number;
}

/** The claims of the running requests of this process. It renews them, so that a claim can expire soon after a crash and still outlast a long upload. */
export interface IdempotencyClaims {
  /** Renews the claim until it is ended. */
  hold(request: ClaimedRequest): HeldClaim;
  /** Ends a claim whose response was stored. */
  end(claim: HeldClaim): void;
  /** Ends a claim whose request has failed, and frees the key. If the database is unavailable, it tries again until the claim has expired. */
  release(claim: HeldClaim): Promise<void>;
  /** Stops the renewal. Claims that could not be released expire. */
  stop(): void;
}

/** @param renewMs time between two renewals in milliseconds; default a quarter of the time that a claim lasts */
export function createIdempotencyClaims(db: HandlerDatabase, renewMs = (claimSeconds * 1000) / 4): IdempotencyClaims {
  const held = new Set<HeldClaim>();
  let timer: NodeJS.Timeout | undefined;
  const stop = () => {
    clearInterval(timer);
    timer = undefined;
  };
  const remove = (claim: HeldClaim) => {
    held.delete(claim);
    if (held.size === 0) stop();
  };
  const tryRelease = async (claim: HeldClaim) => {
    try {
      await releaseIdempotencyKey(db, claim.request);
      remove(claim);
    } catch {
      if (performance.now() > claim.expiresAt) remove(claim);
    }
  };
  const keep = (claim: HeldClaim) => (claim.hasEnded ? tryRelease(claim) : renewIdempotencyClaim(db, claim.request).catch(() => undefined));
  const keepAll = () => void Promise.all([...held].map(keep));

  return {
    hold(request) {
      const claim: HeldClaim = { request, hasEnded: false, expiresAt: Infinity };
      held.add(claim);
      timer ??= setInterval(keepAll, renewMs).unref();
      return claim;
    },
    end: remove,
    async release(claim) {
      claim.hasEnded = true;
      claim.expiresAt = performance.now() + claimSeconds * 1000;
      await tryRelease(claim);
    },
    stop,
  };
}
