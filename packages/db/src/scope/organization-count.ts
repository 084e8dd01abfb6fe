import { type Compilable, sql } from 'kysely';
import type { ScopeParameters } from './scope.ts';
import { queries } from '../sql/compile.ts';
import type { Placeholder } from '../sql/placeholders.ts';

/** The counter of all organizations has the nil UUID instead of a tenant. */
const allOrganizations = '00000000-0000-0000-0000-000000000000';

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
      // A grant is deleted with its link, and a link with its organization.
      return queries
        .selectFrom('membershipOrganizations')
        .select(sql<number>`count(*)`.as('total'))
        .where('userId', '=', scope.userId)
        .where('tenantId', '=', scope.tenantId);
  }
}

function sumOfCounter(tenantId: string | Placeholder<string>) {
  return queries
    .selectFrom('organizationCounts')
    .select(sql<number>`coalesce(sum(count), 0)::bigint`.as('total'))
    .where('tenantId', '=', tenantId);
}
