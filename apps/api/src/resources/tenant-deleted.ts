import type { Caller } from '@profile-service/auth';
import { ProblemError } from '@profile-service/contracts';
import { errorCodeOf } from '@profile-service/db';

/**
 * Creates the error handler of a write into the caller's tenant. If the tenant was deleted after the caller was loaded, it throws the code that the next
 * request gets: CLIENT_NOT_LINKED or TENANT_NOT_ALLOWED (D-25).
 */
export const whenTenantDeleted =
  ({ kind }: Pick<Caller, 'kind'>) =>
  (error: unknown): never => {
    if (errorCodeOf(error) !== 'TENANT_NOT_FOUND') throw error;
    throw new ProblemError(kind === 'service' ? 'CLIENT_NOT_LINKED' : 'TENANT_NOT_ALLOWED', { cause: error });
  };
