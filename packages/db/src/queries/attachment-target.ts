import type { ScopeParameters } from '../scope/scope.ts';
import { queries } from '../sql/compile.ts';
import type { Placeholder, Placeholders } from '../sql/placeholders.ts';
import { Statement } from './statement.ts';

/**
 * Locks an organization, and the link or grant that brings it into scope. It locks the organization first, as deleting and
 * unlinking do: the same order avoids deadlocks.
 */
export const lockForAttachment = new Statement<'scoped', { entityId: string }, { id: string }>(
  (p: Placeholders<{ entityId: string }>, scope) => lockInScope(scope, p.entityId),
);

/** Finds an organization, in scope or not. */
export const anyOrganization = new Statement<'scoped', { entityId: string }, { id: string }>((p: Placeholders<{ entityId: string }>) =>
  queries.selectFrom('organizations').select('id').where('id', '=', p.entityId),
);

/** Joins instead of using the scope's predicate: after a wait for a lock, PostgreSQL reads the locked rows again, but not those of a sub-select. */
function lockInScope(scope: ScopeParameters, organizationId: Placeholder<string>) {
  const live = queries
    .selectFrom('organizations')
    .select('organizations.id')
    .where('organizations.id', '=', organizationId)
    .where('organizations.deletedAt', 'is', null)
    .forShare('organizations');
  switch (scope.kind) {
    case 'all':
      return live;
    case 'none':
      return live.where((eb) => eb.lit(false));
    case 'tenant':
      return live
        .innerJoin('organizationTenants as link', 'link.organizationId', 'organizations.id')
        .where('link.tenantId', '=', scope.tenantId)
        .forKeyShare('link');
    case 'restricted':
      // The link need not be checked: a grant is deleted with its link.
      return live
        .innerJoin('membershipOrganizations as grant', 'grant.organizationId', 'organizations.id')
        .where('grant.userId', '=', scope.userId)
        .where('grant.tenantId', '=', scope.tenantId)
        .forKeyShare('grant');
  }
}
