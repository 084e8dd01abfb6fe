import { type Expression, expressionBuilder, type ReferenceExpression, type SqlBool } from 'kysely';
import type { DB } from './schema.gen.ts';

/** The organizations that a caller reaches (specification part 5, decisions part 3). */
export type OrganizationScope =
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
export function inScope(table: ScopedTable, scope: OrganizationScope): Expression<SqlBool> {
  const [first, second] = alternativesInScope(table, scope);
  return second ? eb.or([first, second]) : first;
}

/** The same predicate in its parts: a select is faster as the union of them than with an `or`. */
export function alternativesInScope(table: ScopedTable, scope: OrganizationScope): Alternatives {
  switch (table) {
    case 'organizations':
      return [eb.and([eb('organizations.deletedAt', 'is', null), organizationInScope(scope, 'organizations.id')])];
    case 'organizationAddresses':
      return [ofOrganizationInScope(scope, 'organizationAddresses.organizationId')];
    case 'organizationContacts':
      return [ofOrganizationInScope(scope, 'organizationContacts.organizationId')];
    case 'attachments':
      return attachmentsInScope(scope);
  }
}

/** That the column, which refers to an organization, refers to a live one in scope. */
function ofOrganizationInScope(scope: OrganizationScope, organizationId: OrganizationId): Expression<SqlBool> {
  return eb.and([eb.not(eb.exists(deletedOrganization(organizationId))), organizationInScope(scope, organizationId)]);
}

/** That the attachment is a document of an organization in scope. */
export function documentInScope(scope: OrganizationScope): Expression<SqlBool> {
  const isDocument = eb.and([eb('attachments.deletedAt', 'is', null), eb('attachments.entityType', '=', 'DOCUMENT')]);
  // Whoever sees all sees also attachments of what is no organization.
  const ofOrganization = scope.kind === 'all' ? [eb.exists(organization('attachments.entityId'))] : [];
  return eb.and([isDocument, ...ofOrganization, ofOrganizationInScope(scope, 'attachments.entityId')]);
}

function attachmentsInScope(scope: OrganizationScope): Alternatives {
  if (scope.kind === 'none') return [eb.lit(false)];
  const live = eb('attachments.deletedAt', 'is', null);
  const ofOrganization = eb.and([live, ofOrganizationInScope(scope, 'attachments.entityId')]);
  if (scope.kind === 'all') return [ofOrganization];
  const ofNoOrganization = eb.and([
    live,
    eb('attachments.tenantId', '=', scope.tenantId),
    ...(scope.kind === 'restricted' ? [eb('attachments.userId', '=', scope.userId)] : []),
    eb.not(eb.exists(organization('attachments.entityId'))),
  ]);
  return [ofOrganization, ofNoOrganization];
}

function organization(id: OrganizationId) {
  return eb.selectFrom('organizations as organization').select('organization.id').whereRef('organization.id', '=', id);
}

/** Asking for a deleted one is cheaper than for a live one: there are few, and an index holds them alone. */
function deletedOrganization(id: OrganizationId) {
  return organization(id).where('organization.deletedAt', 'is not', null);
}

function organizationInScope(scope: OrganizationScope, organizationId: OrganizationId): Expression<SqlBool> {
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
