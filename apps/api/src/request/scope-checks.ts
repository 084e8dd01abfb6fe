import type { Caller } from '@profile-service/auth';
import { ProblemError } from '@profile-service/contracts';
import type { LockedOrganization, ScopedDatabase } from '@profile-service/db';

/**
 * The problem for an organization outside the caller's scope: NOT_ALLOWED_ORGANIZATION (403) whether or not it exists, so that the status reveals nothing.
 * A caller who may see all organizations gets ORGANIZATION_NOT_FOUND (404). Rules: SCOPE-4, SCOPE-5.
 */
export const outOfScope = ({ organizationScope }: Caller): ProblemError =>
  new ProblemError(organizationScope.kind === 'all' ? 'ORGANIZATION_NOT_FOUND' : 'NOT_ALLOWED_ORGANIZATION');

/** Throws if a filter names an organization outside the caller's scope. Without the filter it does nothing. */
export async function assertInScope(caller: Caller, scoped: ScopedDatabase, organizationId: string | undefined): Promise<void> {
  if (organizationId !== undefined && !(await scoped.isInScope(organizationId))) throw outOfScope(caller);
}

interface OrganizationRequest {
  input: { organizationId: string };
  caller: Caller;
  scoped: ScopedDatabase;
}

/** Locks the organization of which the request creates a part. Throws as `assertInScope`. */
export async function lockOrganizationOfInput({ input, caller, scoped }: OrganizationRequest): Promise<LockedOrganization> {
  const locked = await scoped.lockOrganization(input.organizationId);
  if (!locked) throw outOfScope(caller);
  return locked;
}
