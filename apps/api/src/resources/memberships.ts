import { contract, type Persona, ProblemError } from '@profile-service/contracts';
import type { HandlerDatabase } from '@profile-service/db';
import { implement } from '../handler/handler.ts';
import { userToChange } from './users.ts';

/** Links a user to a tenant, or changes the persona of the link. Throws TENANT_NOT_FOUND by its foreign key. */
export async function assign(db: HandlerDatabase, membership: { userId: string; tenantId: string; persona: Persona }): Promise<void> {
  await db
    .insertInto('memberships')
    .values(membership)
    .onConflict((conflict) => conflict.columns(['userId', 'tenantId']).doUpdateSet({ persona: membership.persona }))
    .execute();
}

/** The tenants of a user, newest first, as the user sees them. */
export const tenantsOf = (db: HandlerDatabase, userId: string) =>
  db
    .selectFrom('memberships')
    .innerJoin('tenants', 'tenants.id', 'memberships.tenantId')
    .select(['tenants.id', 'tenants.customerId', 'tenants.appId', 'tenants.name', 'tenants.active', 'memberships.persona'])
    .where('memberships.userId', '=', userId)
    .orderBy('tenants.id', 'desc');

export const memberships = implement(contract.memberships, {
  list: async ({ input, db }) => {
    await db
      .selectFrom('users')
      .select('id')
      .where('id', '=', input.userId)
      .where('deletedAt', 'is', null)
      .executeTakeFirstOrThrow(() => new ProblemError('USER_NOT_FOUND'));
    return { data: await tenantsOf(db, input.userId).execute() };
  },

  assign: async ({ input: { userId, tenantId, persona }, caller, db, invalidateCallers }) => {
    const { idIdentity } = await userToChange(db, caller, userId);
    await assign(db, { userId, tenantId, persona });
    invalidateCallers({ sub: [idIdentity] });
    return { userId, tenantId };
  },

  remove: async ({ input: { userId, tenantId }, caller, db, invalidateCallers }) => {
    const { idIdentity } = await userToChange(db, caller, userId);
    await db.deleteFrom('memberships').where('userId', '=', userId).where('tenantId', '=', tenantId).execute();
    invalidateCallers({ sub: [idIdentity] });
  },

  users: async ({ input: { tenantId }, db }) => {
    await db
      .selectFrom('tenants')
      .select('id')
      .where('id', '=', tenantId)
      .executeTakeFirstOrThrow(() => new ProblemError('TENANT_NOT_FOUND'));
    const data = await db
      .selectFrom('memberships')
      .innerJoin('users', 'users.id', 'memberships.userId')
      .select(['users.id', 'users.name', 'users.email', 'users.type', 'users.jobTitle', 'memberships.persona'])
      .where('memberships.tenantId', '=', tenantId)
      .where('users.deletedAt', 'is', null)
      .orderBy('users.id', 'desc')
      .execute();
    return { data };
  },
});
