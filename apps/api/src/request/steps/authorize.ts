import { may } from '@profile-service/auth';
import { ProblemError } from '@profile-service/contracts';
import { defineStep } from '../run.ts';

/**
 * Rejects a caller who may not call the endpoint, with NOT_ALLOWED or the reason why there is no active tenant. Sets `ownTenant` for a caller who may call
 * the endpoint only for the active tenant. Rules: ACCESS-1 to ACCESS-12.
 */
export const authorize = defineStep('authorize', (context) => {
  const { caller, endpoint } = context;
  const { access } = endpoint;
  context.ownTenant = null;
  if (caller.kind !== 'user' || access.kind !== 'user') return;
  if (caller.refusal) throw new ProblemError(caller.refusal);
  const decision = may(caller, access);
  if (decision === 'denied') throw new ProblemError('NOT_ALLOWED');
  if (decision === 'own-tenant' && access.ownTenant && caller.tenant)
    context.ownTenant = { field: access.ownTenant, tenantId: caller.tenant.id };
});
