import { ProblemError } from '@profile-service/contracts';
import type { Step } from '../run.ts';

/** Answers 404 when the input names another tenant than the active one, for callers who may see no other. */
export const requireOwnTenant: Step = ({ ownTenant, input }) => {
  if (ownTenant && input[ownTenant.field] !== ownTenant.tenantId) throw new ProblemError('TENANT_NOT_FOUND');
};
