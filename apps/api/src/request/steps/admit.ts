import type { RequestContext } from '../context.ts';
import type { RequestDependencies } from '../dependencies.ts';
import { authenticate } from './authenticate.ts';
import { type Authorization, authorize } from './authorize.ts';
import { limitOutboundBuffer } from './limit-outbound-buffer.ts';
import { limitRate } from './limit-rate.ts';
import { loadCaller } from './load-caller.ts';

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
