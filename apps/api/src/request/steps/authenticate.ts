import type { Authenticator } from '@profile-service/auth';
import { defineStep, type Step } from '../run.ts';
import { callerKind } from '../caller-kind.ts';

/** Verifies the bearer token (AUTH-1 to AUTH-7). Throws UNAUTHORIZED, CLIENT_NOT_LINKED or IDENTITY_PROVIDER_UNAVAILABLE. */
export const authenticate = (authenticator: Authenticator): Step =>
  defineStep('authenticate', (context) => {
    const claims = authenticator.verify(callerKind(context.endpoint), context.call.header('authorization'));
    if (claims instanceof Promise) return claims.then((verified) => void (context.claims = verified));
    context.claims = claims;
  });
