import { type Expression, expressionBuilder, type SqlBool } from 'kysely';
import type { DB } from '../schema.gen.ts';
import { ofOrganizationInScope, type ScopeParameters } from '../scope/scope.ts';

const eb = expressionBuilder<DB, 'auditEntries'>();

/** The scopes that do not include all entries. */
export type LimitedScope = Extract<ScopeParameters, { tenantId: unknown }>;

/** Whether the entry belongs to the active tenant. */
export const entryOfTenant = ({ tenantId }: LimitedScope): Expression<SqlBool> => eb('auditEntries.tenantId', '=', tenantId);

/** Whether the organization of the entry is in scope now. */
export const entryOfOrganization = (scope: ScopeParameters): Expression<SqlBool> =>
  ofOrganizationInScope(scope, 'auditEntries.organizationId');

/**
 * Whether the caller may see who the actor is: a member of the active tenant, or its application. A deleted user is a member of no tenant. The service itself
 * is not of the tenant.
 */
export function actorVisible(scope: ScopeParameters): Expression<SqlBool> {
  if (scope.kind === 'all') return eb.lit(true);
  if (scope.kind === 'none') return eb.lit(false);
  const membership = eb
    .selectFrom('memberships as member')
    .innerJoin('users as user', 'user.id', 'member.userId')
    .select('member.userId')
    .whereRef('member.userId', '=', 'auditEntries.actorId')
    .where('member.tenantId', '=', scope.tenantId)
    .where('user.deletedAt', 'is', null);
  return eb.or([
    eb.and([eb('auditEntries.actorKind', '=', 'USER'), eb.exists(membership)]),
    eb.and([eb('auditEntries.actorKind', '=', 'APPLICATION'), eb('auditEntries.actorId', '=', scope.tenantId)]),
  ]);
}

/**
 * Whether the caller may see the id of the record. The id of a link names its tenant, so the links of an organization to other tenants are shown without id.
 */
export function recordIdVisible(scope: ScopeParameters): Expression<SqlBool> {
  if (scope.kind === 'all') return eb.lit(true);
  if (scope.kind === 'none') return eb.lit(false);
  return eb.or([eb('auditEntries.recordType', 'is distinct from', 'organizationLink'), entryOfTenant(scope)]);
}

/** Whether the record is a document. Only records of committed changes have an id that was checked. */
export const recordIsDocument: Expression<SqlBool> = eb
  .case()
  .when(eb.and([eb('auditEntries.recordType', '=', 'attachment'), eb('auditEntries.outcome', '=', 'COMMITTED')]))
  .then(
    eb.exists(
      eb
        .selectFrom('attachments as document')
        .select('document.id')
        .where((is) => is('document.id', '=', is.cast<string>('auditEntries.recordId', 'uuid')))
        .where('document.entityType', '=', 'DOCUMENT'),
    ),
  )
  .else(eb.lit(false))
  .end() as Expression<SqlBool>;
