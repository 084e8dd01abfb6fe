import type { Kysely } from 'kysely';
import type { DB } from './schema.gen.ts';
import type { OrganizationScope } from './scope.ts';

/**
 * Whether an attachment may be given the id: that of a live organization in scope, which stays one until the end of the transaction, or that of no
 * organization. Locks the organization before its link or grant, as the deletion and the end of a link do.
 */
export async function lockAttachmentTarget(whole: Kysely<DB>, scope: OrganizationScope, entityId: string): Promise<boolean> {
  if (await lockInScope(whole, scope, entityId)) return true;
  // One that is not reached is refused, also where it has been linked since.
  return !(await whole.selectFrom('organizations').select('id').where('id', '=', entityId).executeTakeFirst());
}

/** A predicate alone would not do: of what is locked after a wait PostgreSQL looks at the row anew, but not at the rows of a sub-select. */
function lockInScope(whole: Kysely<DB>, scope: OrganizationScope, organizationId: string) {
  const live = whole
    .selectFrom('organizations')
    .select('organizations.id')
    .where('organizations.id', '=', organizationId)
    .where('organizations.deletedAt', 'is', null)
    .forShare('organizations');
  switch (scope.kind) {
    case 'all':
      return live.executeTakeFirst();
    case 'none':
      return undefined;
    case 'tenant':
      return live
        .innerJoin('organizationTenants as link', 'link.organizationId', 'organizations.id')
        .where('link.tenantId', '=', scope.tenantId)
        .forKeyShare('link')
        .executeTakeFirst();
    case 'restricted':
      // A grant ends with its link, so it is enough.
      return live
        .innerJoin('membershipOrganizations as grant', 'grant.organizationId', 'organizations.id')
        .where('grant.userId', '=', scope.userId)
        .where('grant.tenantId', '=', scope.tenantId)
        .forKeyShare('grant')
        .executeTakeFirst();
  }
}
