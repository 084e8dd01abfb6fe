import type { Authenticator, Caller, Claims } from '@profile-service/auth';
import { callerKind } from '../caller-kind.ts';
import { defineStep } from '../step.ts';

/**
 * Loads the user or application of the token, with the active tenant (AUTH-8, AUTH-11, TENANT-1 to TENANT-8). Throws USER_NOT_PROVISIONED or
 * CLIENT_NOT_LINKED.
 */
export const loadCaller = defineStep('load-caller', (context, authenticator: Authenticator, claims: Claims): Caller | Promise<Caller> => {
  const loading = authenticator.load(callerKind(context.endpoint), claims, context.request.header('x-tenant-id'));
  if (loading instanceof Promise) return loading.then((caller) => (context.caller = caller));
  return (context.caller = loading);
});
