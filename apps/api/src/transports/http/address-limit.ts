import type { IncomingMessage } from 'node:http';
import { addressKey } from '../../limits/keys.ts';
import type { RateLimits } from '../../limits/rate-limits.ts';
import type { RateLimitStatus } from '../../limits/rate-limit.ts';
import type { TrustProxy } from '../../limits/trust-proxy.ts';
import type { Exchange } from './exchange.ts';

/**
 * Counts a request against the limit of the address it came from, before anything else is done for it.
 * @param requests how many it stands for; one unless told
 * @throws RATE_LIMITED
 */
export type LimitAddress = (request: IncomingMessage, exchange: Exchange, requests?: number) => Promise<void>;

export const createAddressLimit =
  ({ address: admit }: RateLimits, trust: TrustProxy | undefined): LimitAddress =>
  async (request, exchange, requests) =>
    admit?.(addressKey(request, trust), (status) => showRateLimit(exchange, status), requests);

/** Says in the answer how the caller, or before they are known their address, stands with a limit (draft-ietf-httpapi-ratelimit-headers); the strictest one comes last. */
export function showRateLimit({ response }: Exchange, { limit, quota, windowSeconds, remaining, resetSeconds }: RateLimitStatus): void {
  response.setHeader('RateLimit-Policy', `"${limit}";q=${quota};w=${windowSeconds}`);
  response.setHeader('RateLimit', `"${limit}";r=${remaining};t=${resetSeconds}`);
}
