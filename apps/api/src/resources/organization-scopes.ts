import { contract, type Persona, ProblemError, type UserType } from '@profile-service/contracts';
import { type HandlerDatabase, unscoped } from '@profile-service/db';
import { sql } from 'kysely';
import { implement } from '../handler/handler.ts';

/** The membership and its user. A member is active while the membership exists; the tenant may be inactive. */
async function membershipOf(db: HandlerDatabase, userId: string, tenantId: string, options: { lock: boolean }) {
  const user = await db
    .selectFrom('users')
    .select(['idIdentity', 'type'])
    .where('id', '=', userId)
    .where('deletedAt', 'is', null)
    .executeTakeFirstOrThrow(() => new ProblemError('USER_NOT_FOUND'));
  const membership = await db
    .selectFrom('memberships')
    .select(['scope', 'persona'])
    .where('userId', '=', userId)
    .where('tenantId', '=', tenantId)
    .$if(options.lock, (query) => query.forUpdate())
    .executeTakeFirstOrThrow(() => new ProblemError('USER_TENANT_NOT_FOUND'));
  return { ...membership, ...user };
}

/** A tenant-admin sees all whatever is saved, and what is saved does not bind a Global user. */
function effectiveScope(scope: 'ALL' | 'RESTRICTED', persona: Persona | null, type: UserType) {
  if (persona === 'tenant-admin') return 'ALL_BY_PERSONA';
  return type === 'Global' ? 'ALL' : scope;
}

export const organizationScopes = implement(contract.organizationScopes, {
  get: async ({ input: { userId, tenantId }, db }) => {
    const { scope, persona, type } = await membershipOf(db, userId, tenantId, { lock: false });
    const grants = await unscoped(db, 'sets the grants of a membership')
      .selectFrom('membershipOrganizations')
      .select('organizationId')
      .where('userId', '=', userId)
      .where('tenantId', '=', tenantId)
      .orderBy('organizationId')
      .execute();
    return {
      scope,
      organizationIds: grants.map(({ organizationId }) => organizationId),
      effectiveScope: effectiveScope(scope, persona, type),
    };
  },

  // The set is replaced as a whole; a grant that is no link of the tenant breaks its foreign key.
  set: async ({ input: { userId, tenantId, scope, organizationIds = [] }, db, invalidateCallers }) => {
    const { idIdentity } = await membershipOf(db, userId, tenantId, { lock: true });
    await db.updateTable('memberships').set({ scope }).where('userId', '=', userId).where('tenantId', '=', tenantId).execute();
    const whole = unscoped(db, 'sets the grants of a membership');
    await whole.deleteFrom('membershipOrganizations').where('userId', '=', userId).where('tenantId', '=', tenantId).execute();
    if (scope === 'RESTRICTED') {
      await whole
        .insertInto('membershipOrganizations')
        .columns(['userId', 'tenantId', 'organizationId'])
        .expression((eb) =>
          eb
            .selectFrom(
              sql<{ organizationId: string }>`unnest(${[...new Set(organizationIds)]}::uuid[])`.as<'granted'>(
                sql`granted(organization_id)`,
              ),
            )
            .select([sql<string>`${userId}::uuid`.as('userId'), sql<string>`${tenantId}::uuid`.as('tenantId'), 'granted.organizationId']),
        )
        .execute();
    }
    invalidateCallers({ sub: [idIdentity] });
  },
});
