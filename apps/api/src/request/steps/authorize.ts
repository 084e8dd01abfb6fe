import { type Caller, may } from '@profile-service/auth';
import { ProblemError } from '@profile-service/contracts';
import { defineStep } from '../step.ts';

/** A caller who may call the endpoint. */
export interface Authorization {
  caller: Caller;
  /** An input field that must equal the caller's active tenant. Null if there is none. */
  ownTenant: { field: string; tenantId: string } | null;
}

/** Rejects a caller who may not call the endpoint, with NOT_ALLOWED or the reason why there is no active tenant. Rules: ACCESS-1 to ACCESS-12. */
export const authorize = defineStep('authorize', ({ endpoint: { access } }, caller: Caller): Authorization => {
  if (caller.kind !== 'user' || access.kind !== 'user') return { caller, ownTenant: null };
  if (caller.refusal) throw new ProblemError(caller.refusal);
  const decision = may(caller, access);
  if (decision === 'denied') throw new ProblemError('NOT_ALLOWED');
  const isLimited = decision === 'own-tenant' && access.ownTenant && caller.tenant;
  return { caller, ownTenant: isLimited ? { field: access.ownTenant, tenantId: caller.tenant.id } : null };
});
