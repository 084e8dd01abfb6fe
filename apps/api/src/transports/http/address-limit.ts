import { addressKey } from '../../request/limits/keys.ts';
import type { RateLimits } from '../../request/limits/rate-limits.ts';
import type { TrustProxy } from '../../request/limits/trust-proxy.ts';
import type { Exchange } from './exchange.ts';

/**
 * Counts a request against the rate limit of its address. It runs before everything else that a request costs (D-26).
 * @param requests how many requests it counts as; 1 by default
 * @throws RATE_LIMITED
 */
export type LimitAddress = (exchange: Exchange, requests?: number) => void;

/** Creates the rate limit of addresses. @param trust the proxies whose X-Forwarded-For is trusted; undefined: none */
export const createAddressLimit =
  ({ address: count }: RateLimits, trust: TrustProxy | undefined): LimitAddress =>
  (exchange, requests) =>
    count?.(addressKey(exchange.request, trust), exchange, requests);
