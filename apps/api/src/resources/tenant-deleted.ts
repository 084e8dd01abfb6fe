import type { Caller } from '@profile-service/auth';
import { ProblemError } from '@profile-service/contracts';
import { errorCodeOf } from '@profile-service/db';

/** For a write into the caller's tenant, which may have been deleted since they were looked up: the answer is that of the next request. */
export const whenTenantDeleted =
  ({ kind }: Pick<Caller, 'kind'>) =>
  (error: unknown): never => {
    if (errorCodeOf(error) !== 'TENANT_NOT_FOUND') throw error;
    throw new ProblemError(kind === 'service' ? 'CLIENT_NOT_LINKED' : 'TENANT_NOT_ALLOWED', { cause: error });
  };
