import type { Caller } from '@profile-service/auth';
import { ProblemError } from '@profile-service/contracts';
import type { LockedOrganization, ScopedDatabase } from '@profile-service/db';

/**
 * What a caller who names an organization outside their scope gets to know: 403 whether or not it exists, so that it is no oracle.
 * Only who sees all organizations is told that there is none.
 */
export const outOfScope = ({ organizationScope }: Caller): ProblemError =>
  new ProblemError(organizationScope.kind === 'all' ? 'ORGANIZATION_NOT_FOUND' : 'NOT_ALLOWED_ORGANIZATION');

/** Refuses a filter by an organization outside the caller's scope; no filter is no refusal. */
export async function assertInScope(caller: Caller, scoped: ScopedDatabase, organizationId: string | undefined): Promise<void> {
  if (organizationId !== undefined && !(await scoped.isInScope(organizationId))) throw outOfScope(caller);
}

/** Locks an organization of the caller's scope for a change of its addresses or contacts. */
export async function lockInScope(caller: Caller, scoped: ScopedDatabase, organizationId: string): Promise<LockedOrganization> {
  const locked = await scoped.lockOrganization(organizationId);
  if (!locked) throw outOfScope(caller);
  return locked;
}
