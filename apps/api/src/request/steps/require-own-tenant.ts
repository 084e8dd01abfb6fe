import { ProblemError } from '@profile-service/contracts';
import type { Input } from '../input.ts';
import { defineStep } from '../step.ts';
import type { Authorization } from './authorize.ts';

/** Rejects an input with another tenant than the active one, for callers who may see only that one. Throws TENANT_NOT_FOUND (ACCESS-12). */
export const requireOwnTenant = defineStep('require-own-tenant', (_context, { ownTenant }: Authorization, input: Input): void => {
  if (ownTenant && input[ownTenant.field] !== ownTenant.tenantId) throw new ProblemError('TENANT_NOT_FOUND');
});
