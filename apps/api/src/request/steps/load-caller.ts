import type { Authenticator } from '@profile-service/auth';
import { defineStep, type Step } from '../run.ts';
import { callerKind } from '../caller-kind.ts';

/**
 * Loads the user or application of the token, with the active tenant (AUTH-8, AUTH-11, TENANT-1 to TENANT-8). Throws USER_NOT_PROVISIONED or
 * CLIENT_NOT_LINKED.
 */
export const loadCaller = (authenticator: Authenticator): Step =>
  defineStep('load-caller', (context) => {
    const caller = authenticator.load(callerKind(context.endpoint), context.claims, context.call.header('x-tenant-id'));
    if (caller instanceof Promise) return caller.then((loaded) => void (context.caller = loaded));
    context.caller = caller;
  });
