import type { Caller } from '@profile-service/auth';
import { type HandlerDatabase, unscoped } from '@profile-service/db';
import { whenTenantDeleted } from './tenant-deleted.ts';

/**
 * Links an organization to the caller's active tenant, if there is one; idempotent. A user whose membership is RESTRICTED is granted it too, whatever
 * the persona: they would not see what they made, or lose sight of it with the persona (decisions, part 2).
 * @throws TENANT_NOT_ALLOWED or CLIENT_NOT_LINKED where the tenant was deleted since the caller was looked up
 */
export async function linkToActiveTenant(db: HandlerDatabase, caller: Caller, organizationId: string): Promise<void> {
  const { organizationScope: scope } = caller;
  if (!('tenantId' in scope)) return;
  const { tenantId } = scope;
  const link = unscoped(db, 'creates the link')
    .insertInto('organizationTenants')
    .values({ organizationId, tenantId })
    .onConflict((conflict) => conflict.doNothing());
  if (caller.kind === 'service') return void (await link.execute().catch(whenTenantDeleted(caller)));
  await unscoped(db, 'creates the link')
    .with('link', () => link)
    .insertInto('membershipOrganizations')
    .columns(['userId', 'tenantId', 'organizationId'])
    .expression((eb) =>
      eb
        .selectFrom('memberships')
        .select(['userId', 'tenantId', eb.val(organizationId).as('organizationId')])
        .where('userId', '=', caller.userId)
        .where('tenantId', '=', tenantId)
        .where('scope', '=', 'RESTRICTED')
        // A change of the scope that comes at the same time waits, or has been.
        .forShare(),
    )
    .execute()
    .catch(whenTenantDeleted(caller));
}
