import type { Caller } from '@profile-service/auth';
import { ProblemError } from '@profile-service/contracts';
import type { LockedOrganization, ScopedDatabase } from '@profile-service/db';

/**
 * The error for an organization outside the caller's scope: 403 whether or not it exists, so that the status reveals nothing.
 * Only a caller who sees all organizations gets 404.
 */
export const outOfScope = ({ organizationScope }: Caller): ProblemError =>
  new ProblemError(organizationScope.kind === 'all' ? 'ORGANIZATION_NOT_FOUND' : 'NOT_ALLOWED_ORGANIZATION');

/** Rejects a filter by an organization outside the caller's scope. An absent filter passes. */
export async function assertInScope(caller: Caller, scoped: ScopedDatabase, organizationId: string | undefined): Promise<void> {
  if (organizationId !== undefined && !(await scoped.isInScope(organizationId))) throw outOfScope(caller);
}

/** Locks an organization in the caller's scope for a change of its addresses or contacts. */
export async function lockInScope(caller: Caller, scoped: ScopedDatabase, organizationId: string): Promise<LockedOrganization> {
  const locked = await scoped.lockOrganization(organizationId);
  if (!locked) throw outOfScope(caller);
  return locked;
}
