import type { Caller } from '@profile-service/auth';
import { ProblemError } from '@profile-service/contracts';
import { errorCodeOf } from '@profile-service/db';

/** Maps the error of a write into the caller's tenant when the tenant was deleted since the caller was loaded: to the code that the next request gets. */
export const whenTenantDeleted =
  ({ kind }: Pick<Caller, 'kind'>) =>
  (error: unknown): never => {
    if (errorCodeOf(error) !== 'TENANT_NOT_FOUND') throw error;
    throw new ProblemError(kind === 'service' ? 'CLIENT_NOT_LINKED' : 'TENANT_NOT_ALLOWED', { cause: error });
  };
