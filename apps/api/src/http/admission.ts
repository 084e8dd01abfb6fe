import type { IncomingMessage } from 'node:http';
import { addressKey } from '../limits/keys.ts';
import type { Limits } from '../limits/limits.ts';
import type { Standing } from '../limits/limit.ts';
import type { TrustProxy } from '../limits/trust-proxy.ts';
import type { Exchange } from './exchange.ts';

/**
 * Counts a request against the limit of the address it came from, before anything else is done for it.
 * @param requests how many it stands for; one unless told
 * @throws RATE_LIMITED
 */
export type Admission = (request: IncomingMessage, exchange: Exchange, requests?: number) => Promise<void>;

export const createAdmission =
  ({ address: admit }: Limits, trust: TrustProxy | undefined): Admission =>
  async (request, exchange, requests) =>
    admit?.(addressKey(request, trust), (standing) => showStanding(exchange, standing), requests);

/** Says in the answer how the caller, or before they are known their address, stands with a limit (draft-ietf-httpapi-ratelimit-headers); the strictest one comes last. */
export function showStanding({ response }: Exchange, { limit, quota, windowSeconds, remaining, resetSeconds }: Standing): void {
  response.setHeader('RateLimit-Policy', `"${limit}";q=${quota};w=${windowSeconds}`);
  response.setHeader('RateLimit', `"${limit}";r=${remaining};t=${resetSeconds}`);
}
