import { ProblemError } from '@profile-service/contracts';
import { defineStep } from '../run.ts';

/** Rejects an input with another tenant than the active one, for callers who may see only that one. Throws TENANT_NOT_FOUND (ACCESS-12). */
export const requireOwnTenant = defineStep('require-own-tenant', ({ ownTenant, input }) => {
  if (ownTenant && input[ownTenant.field] !== ownTenant.tenantId) throw new ProblemError('TENANT_NOT_FOUND');
});
