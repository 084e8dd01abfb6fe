import type { Authenticator } from '@profile-service/auth';
import { callerKind } from '../caller-kind.ts';
import { defineStep } from '../step.ts';

/** Verifies the bearer token (AUTH-1 to AUTH-7). Throws UNAUTHORIZED, CLIENT_NOT_LINKED or IDENTITY_PROVIDER_UNAVAILABLE. */
export const authenticate = defineStep('authenticate', ({ endpoint, request }, authenticator: Authenticator) =>
  authenticator.verify(callerKind(endpoint), request.header('authorization')),
);
