import { addressKey } from '../../limits/keys.ts';
import type { RateLimits } from '../../limits/rate-limits.ts';
import type { TrustProxy } from '../../limits/trust-proxy.ts';
import type { Exchange } from './exchange.ts';

/**
 * Counts a request against the rate limit of its address, before anything else is done for it.
 * @param requests how many it counts for; 1 by default
 * @throws RATE_LIMITED
 */
export type LimitAddress = (exchange: Exchange, requests?: number) => void | Promise<void>;

/** @param trust which proxies' X-Forwarded-For is trusted */
export const createAddressLimit =
  ({ address: count }: RateLimits, trust: TrustProxy | undefined): LimitAddress =>
  (exchange, requests) =>
    count?.(addressKey(exchange.request, trust), exchange, requests);
