import { type Expression, expressionBuilder, type ReferenceExpression, type SqlBool } from 'kysely';
import type { Placeholder } from '../sql/placeholders.ts';
import type { DB } from '../schema.gen.ts';

type Scope<Id> =
  /** A Global user without an active tenant: all organizations. */
  | { kind: 'all' }
  /** The organizations linked to the tenant. */
  | { kind: 'tenant'; tenantId: Id }
  /** The tenant's organizations that were granted to this user's RESTRICTED membership. */
  | { kind: 'restricted'; tenantId: Id; userId: Id }
  | { kind: 'none' };

/** The organizations that a caller may see (SCOPE-1 to SCOPE-8). */
export type OrganizationScope = Scope<string>;

/** A scope of one kind while a statement is built. */
export type ScopeParameters = Scope<Placeholder<string>>;

/** Tables whose rows belong to organizations, to uploaders or to tenants. Each query on them has the predicate of `inScope`. */
export type ScopedTable = 'organizations' | 'organizationAddresses' | 'organizationContacts' | 'attachments' | 'webhooks' | 'imports';

/** The predicates that make a row visible: one, or either of two. */
type Alternatives = [Expression<SqlBool>, Expression<SqlBool>?];

const eb = expressionBuilder<DB, ScopedTable | 'auditEntries'>();
type OrganizationId = ReferenceExpression<DB, ScopedTable | 'auditEntries'>;

/**
 * Returns the predicate of the scope for a table. It joins links and grants and never contains a list of ids.
 * Each `exists` reads one table by its unique key, so PostgreSQL can plan it as a join that starts at the smaller side.
 */
export function inScope(table: ScopedTable, scope: ScopeParameters): Expression<SqlBool> {
  const [first, second] = alternativesInScope(table, scope);
  return second ? eb.or([first, second]) : first;
}

/** Returns the predicate as alternatives: selecting their union is faster than an `or`. */
export function alternativesInScope(table: ScopedTable, scope: ScopeParameters): Alternatives {
  switch (table) {
    case 'organizations':
      return [eb.and([eb('organizations.deletedAt', 'is', null), organizationInScope(scope, 'organizations.id')])];
    case 'organizationAddresses':
      return [ofOrganizationInScope(scope, 'organizationAddresses.organizationId')];
    case 'organizationContacts':
      return [ofOrganizationInScope(scope, 'organizationContacts.organizationId')];
    case 'attachments':
      return attachmentsInScope(scope);
    case 'webhooks':
      return [webhookInScope(scope)];
    case 'imports':
      return [importInScope(scope)];
  }
}

/** Whether the column refers to a live organization in scope. */
export function ofOrganizationInScope(scope: ScopeParameters, organizationId: OrganizationId): Expression<SqlBool> {
  return eb.and([eb.not(eb.exists(deletedOrganization(organizationId))), organizationInScope(scope, organizationId)]);
}

/** Whether the attachment is a document of an organization in scope. */
export function documentInScope(scope: ScopeParameters): Expression<SqlBool> {
  const isDocument = eb.and([eb('attachments.deletedAt', 'is', null), eb('attachments.entityType', '=', 'DOCUMENT')]);
  // The scope `all` also includes attachments whose entityId is no organization.
  const ofOrganization = scope.kind === 'all' ? [eb.exists(organization('attachments.entityId'))] : [];
  return eb.and([isDocument, ...ofOrganization, ofOrganizationInScope(scope, 'attachments.entityId')]);
}

function attachmentsInScope(scope: ScopeParameters): Alternatives {
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

/** A webhook gets the events of its whole tenant, so none is in the scope of a RESTRICTED member. Only the scope `all` has those of all tenants. */
function webhookInScope(scope: ScopeParameters): Expression<SqlBool> {
  return scope.kind === 'tenant' ? eb('webhooks.tenantId', '=', scope.tenantId) : eb.lit(scope.kind === 'all');
}

/** The results of an import name records of the whole tenant, so a RESTRICTED member sees only their own imports. */
function importInScope(scope: ScopeParameters): Expression<SqlBool> {
  if (scope.kind === 'all' || scope.kind === 'none') return eb.lit(scope.kind === 'all');
  const ofTenant = eb('imports.tenantId', '=', scope.tenantId);
  return scope.kind === 'tenant' ? ofTenant : eb.and([ofTenant, eb('imports.createdBy', '=', scope.userId)]);
}

function organization(id: OrganizationId) {
  return eb.selectFrom('organizations as organization').select('organization.id').whereRef('organization.id', '=', id);
}

/** Checks for a deleted row instead of a live one: a small partial index covers deleted rows. */
function deletedOrganization(id: OrganizationId) {
  return organization(id).where('organization.deletedAt', 'is not', null);
}

function organizationInScope(scope: ScopeParameters, organizationId: OrganizationId): Expression<SqlBool> {
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
      // The link need not be checked: a grant is deleted with its link.
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
