import { type Expression, expressionBuilder, type ReferenceExpression, type SqlBool } from 'kysely';
import type { DB } from './schema.gen.ts';

/** The organizations that a caller reaches (specification part 5, decisions part 3). */
export type Scope =
  /** A Global user without an active tenant: the whole base. */
  | { kind: 'all' }
  /** The organizations linked to the tenant. */
  | { kind: 'tenant'; tenantId: string }
  /** The organizations of the tenant that the RESTRICTED membership of this user is granted. */
  | { kind: 'restricted'; tenantId: string; userId: string }
  | { kind: 'none' };

/** Tables whose rows belong to organizations, or to whom uploaded them: each query on them carries the predicate below. */
export type ScopedTable = 'organizations' | 'organizationAddresses' | 'organizationContacts' | 'attachments';

/** What makes a row visible: the one, or either of the two. */
type Alternatives = [Expression<SqlBool>, Expression<SqlBool>?];

const eb = expressionBuilder<DB, ScopedTable>();
type OrganizationId = ReferenceExpression<DB, ScopedTable>;

/**
 * The predicate of the tenant scope for a table. Joins on links and grants, never lists of ids.
 * Each `exists` asks one table by its unique key, so the planner makes a join of it and starts at whichever side is smaller.
 */
export function inScope(table: ScopedTable, scope: Scope): Expression<SqlBool> {
  const [first, second] = alternativesInScope(table, scope);
  return second ? eb.or([first, second]) : first;
}

/** The same predicate in its parts: a select is faster as the union of them than with an `or`. */
export function alternativesInScope(table: ScopedTable, scope: Scope): Alternatives {
  switch (table) {
    case 'organizations':
      return [eb.and([eb('organizations.deletedAt', 'is', null), reaches(scope, 'organizations.id')])];
    case 'organizationAddresses':
      return [ofOrganizationInScope(scope, 'organizationAddresses.organizationId')];
    case 'organizationContacts':
      return [ofOrganizationInScope(scope, 'organizationContacts.organizationId')];
    case 'attachments':
      return attachmentsInScope(scope);
  }
}

/** That the column holds the id of a live organization in scope. */
export function ofOrganizationInScope(scope: Scope, organizationId: OrganizationId): Expression<SqlBool> {
  const live = eb
    .selectFrom('organizations as organization')
    .select('organization.id')
    .whereRef('organization.id', '=', organizationId)
    .where('organization.deletedAt', 'is', null);
  return eb.and([eb.exists(live), reaches(scope, organizationId)]);
}

function attachmentsInScope(scope: Scope): Alternatives {
  const live = eb('attachments.deletedAt', 'is', null);
  const organization = eb
    .selectFrom('organizations as organization')
    .select('organization.id')
    .whereRef('organization.id', '=', 'attachments.entityId');
  if (scope.kind === 'none') return [eb.lit(false)];
  if (scope.kind === 'all') return [eb.and([live, eb.not(eb.exists(organization.where('organization.deletedAt', 'is not', null)))])];
  const ofNoOrganization = eb.and([
    live,
    eb('attachments.tenantId', '=', scope.tenantId),
    ...(scope.kind === 'restricted' ? [eb('attachments.userId', '=', scope.userId)] : []),
    eb.not(eb.exists(organization)),
  ]);
  return [eb.and([live, ofOrganizationInScope(scope, 'attachments.entityId')]), ofNoOrganization];
}

function reaches(scope: Scope, organizationId: OrganizationId): Expression<SqlBool> {
  switch (scope.kind) {
    case 'all':
      return eb.lit(true);
    case 'none':
      return eb.lit(false);
    case 'tenant':
      return eb.exists(
        eb
          .selectFrom('organizationTenants as link')
          .select('link.organizationId')
          .where('link.tenantId', '=', scope.tenantId)
          .whereRef('link.organizationId', '=', organizationId),
      );
    case 'restricted':
      // A grant ends with its link, so it is enough.
      return eb.exists(
        eb
          .selectFrom('membershipOrganizations as grant')
          .select('grant.organizationId')
          .where('grant.userId', '=', scope.userId)
          .where('grant.tenantId', '=', scope.tenantId)
          .whereRef('grant.organizationId', '=', organizationId),
      );
  }
}
