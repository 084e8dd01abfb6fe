import type { IncomingMessage } from 'node:http';
import type { Admission } from '../../request/limits/admission.ts';
import { addressKey } from '../../request/limits/keys.ts';
import type { RateLimits } from '../../request/limits/rate-limits.ts';
import type { TrustProxy } from '../../request/limits/trust-proxy.ts';
import type { HttpContext } from './context.ts';
import { isOverloaded } from './overload.ts';

/**
 * Rejects a request while too many wait, and otherwise counts it against the rate limit of its address (D-26).
 * @param requests how many requests it counts as; 1 by default
 * @throws SERVICE_UNAVAILABLE or RATE_LIMITED
 */
export type LimitAddress = (request: IncomingMessage, context: HttpContext, requests?: number) => void;

/** Creates the rate limit of addresses. @param trust the proxies whose X-Forwarded-For is trusted; undefined: none */
export const createAddressLimit =
  ({ address: count }: RateLimits, trust: TrustProxy | undefined, admission: Admission): LimitAddress =>
  (request, context, requests) => {
    if (isOverloaded(admission, request)) {
      context.isRejectedEarly = true;
      throw admission.rejectOverloaded();
    }
    count?.(addressKey(request, trust), context, requests);
  };
