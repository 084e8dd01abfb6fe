import { type Compilable, type SelectQueryBuilder, sql } from 'kysely';
import type { ScopeParameters } from './scope.ts';
import { queries } from '../sql/compile.ts';
import type { Placeholder } from '../sql/placeholders.ts';

/** The counter of all organizations has the nil UUID instead of a tenant. */
const allOrganizations = '00000000-0000-0000-0000-000000000000';

/** A query of ids, whatever its table. */
export type IdsQuery = SelectQueryBuilder<{ ids: { id: string } }, 'ids', { id: string }>;

/**
 * Selects the ids of the organizations in scope, from an index in which they are sorted. Neither links nor grants of deleted organizations exist: a grant is
 * deleted with its link, and a link with its organization.
 */
export function idsInScope(scope: ScopeParameters): IdsQuery {
  const organizations = queries.selectFrom('organizations').select('id').where('deletedAt', 'is', null) as unknown as IdsQuery;
  switch (scope.kind) {
    case 'all':
      return organizations;
    case 'none':
      return organizations.where((eb) => eb.lit(false));
    case 'tenant':
      return queries
        .selectFrom('organizationTenants')
        .select('organizationId as id')
        .where('tenantId', '=', scope.tenantId) as unknown as IdsQuery;
    case 'restricted':
      return queries
        .selectFrom('membershipOrganizations')
        .select('organizationId as id')
        .where('userId', '=', scope.userId)
        .where('tenantId', '=', scope.tenantId) as unknown as IdsQuery;
  }
}

/** Selects the number of organizations in scope. Triggers keep counters, so it reads no organizations. */
export function countInScope(scope: ScopeParameters): Compilable<{ total: number }> {
  switch (scope.kind) {
    case 'all':
      return sumOfCounter(allOrganizations);
    case 'none':
      return queries.selectNoFrom(sql<number>`0`.as('total'));
    case 'tenant':
      return sumOfCounter(scope.tenantId);
    case 'restricted':
      return idsInScope(scope)
        .clearSelect()
        .select(sql<number>`count(*)`.as('total'));
  }
}

function sumOfCounter(tenantId: string | Placeholder<string>) {
  return queries
    .selectFrom('organizationCounts')
    .select(sql<number>`coalesce(sum(count), 0)::bigint`.as('total'))
    .where('tenantId', '=', tenantId);
}
