import { activeTenantId, type Caller } from '@profile-service/auth';
import { ProblemError } from '@profile-service/contracts';
import { errorCodeOf, type UnscopedDatabase, type Placeholders, statement } from '@profile-service/db';

export const findTenant = statement((db, p: Placeholders<{ id: string }>) => db.selectFrom('tenants').select('id').where('id', '=', p.id));

/** The problem that the next request of the caller gets: CLIENT_NOT_LINKED or TENANT_NOT_ALLOWED (D-25). */
const problemOf = ({ kind }: Pick<Caller, 'kind'>, cause?: unknown) =>
  new ProblemError(kind === 'service' ? 'CLIENT_NOT_LINKED' : 'TENANT_NOT_ALLOWED', { cause });

/** Creates the error handler of a write into the caller's tenant. If the tenant was deleted after the caller was loaded, it throws the code of the next request. */
export const whenTenantDeleted =
  (caller: Pick<Caller, 'kind'>) =>
  (error: unknown): never => {
    throw errorCodeOf(error) === 'TENANT_NOT_FOUND' ? problemOf(caller, error) : error;
  };

/** Throws the code of the caller's next request if the caller's tenant was deleted after the caller was loaded. */
export async function assertTenantExists(unscoped: UnscopedDatabase, caller: Caller): Promise<void> {
  const id = activeTenantId(caller);
  if (id !== null) await unscoped.first(findTenant, { id }, () => problemOf(caller));
}
