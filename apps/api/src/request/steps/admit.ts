import { type Authenticator, type Caller, type Claims, may } from '@profile-service/auth';
import { type Endpoint, ProblemError } from '@profile-service/contracts';
import { callerKind } from '../caller-kind.ts';
import type { RequestContext } from '../context.ts';
import type { RequestDependencies } from '../dependencies.ts';
import { callerKey, tenantKey } from '../limits/keys.ts';
import type { OutboundBufferLimit } from '../limits/outbound-buffer-limit.ts';
import type { CountExactly } from '../limits/rate-limits.ts';
import { defineStep } from '../step.ts';

/** A caller who may call the endpoint. */
export interface Authorization {
  caller: Caller;
  /** An input field that must equal the caller's active tenant. Null if there is none. */
  ownTenant: { field: string; tenantId: string } | null;
}

/** The steps before the input of a call is read. */
export async function admit(
  context: RequestContext,
  { authenticator, rateLimits, concurrency }: RequestDependencies,
): Promise<Authorization> {
  const claims = await authenticate(context, authenticator);
  if (rateLimits.caller) await limitRate(context, rateLimits.caller, claims);
  const caller = await loadCaller(context, authenticator, claims);
  limitOutboundBuffer(context, concurrency.outboundBuffer, caller);
  const authorization = authorize(context, caller);
  if (context.endpoint.reachesIdentityProvider && rateLimits.identity) await limitRate(context, rateLimits.identity, claims);
  return authorization;
}

/** Authorizes a call again after a wait: permissions that were revoked meanwhile do not count. */
export async function reauthorize(context: RequestContext, { authenticator }: RequestDependencies): Promise<Authorization> {
  const claims = await authenticate(context, authenticator);
  return authorize(context, await loadCaller(context, authenticator, claims));
}

/** Verifies the bearer token (AUTH-1 to AUTH-7). Throws UNAUTHORIZED, CLIENT_NOT_LINKED or IDENTITY_PROVIDER_UNAVAILABLE. */
const authenticate = defineStep('authenticate', ({ endpoint, request }, authenticator: Authenticator) =>
  authenticator.verify(callerKind(endpoint), request.header('authorization')),
);

/**
 * Counts the call against a rate limit of its caller. Runs before the caller is loaded, so that unknown callers are limited too (D-26, D-27). Throws
 * RATE_LIMITED.
 */
const limitRate = defineStep('limit-rate', (context, count: CountExactly, claims: Claims) =>
  count(callerKey(callerKind(context.endpoint), claims), context),
);

/**
 * Loads the user or application of the token, with the active tenant (AUTH-8, AUTH-11, TENANT-1 to TENANT-8). Throws USER_NOT_PROVISIONED or
 * CLIENT_NOT_LINKED.
 */
const loadCaller = defineStep('load-caller', (context, authenticator: Authenticator, claims: Claims): Caller | Promise<Caller> => {
  const loading = authenticator.load(callerKind(context.endpoint), claims, context.request.header('x-tenant-id'));
  if (loading instanceof Promise) return loading.then((caller) => (context.caller = caller));
  return (context.caller = loading);
});

/** Rejects the call while the clients of its tenant have not received too many bytes of earlier responses. Throws RATE_LIMITED. */
export const limitOutboundBuffer = defineStep('limit-outbound-buffer', (_context, limit: OutboundBufferLimit, caller: Caller) =>
  limit.assertBelowLimit(tenantKey(caller)),
);

/** Rejects a caller who may not call the endpoint. Throws as `authorizeCaller`. */
const authorize = defineStep('authorize', ({ endpoint }, caller: Caller): Authorization => authorizeCaller(endpoint, caller));

/** Decides whether the caller may call the endpoint. Throws NOT_ALLOWED, or the reason why there is no active tenant. Rules: ACCESS-1 to ACCESS-12. */
export function authorizeCaller({ access }: Pick<Endpoint, 'access'>, caller: Caller): Authorization {
  if (caller.kind !== 'user' || access.kind !== 'user') return { caller, ownTenant: null };
  if (caller.refusal) throw new ProblemError(caller.refusal);
  const decision = may(caller, access);
  if (decision === 'denied') throw new ProblemError('NOT_ALLOWED');
  const isLimited = decision === 'own-tenant' && access.ownTenant && caller.tenant;
  return { caller, ownTenant: isLimited ? { field: access.ownTenant, tenantId: caller.tenant.id } : null };
}
