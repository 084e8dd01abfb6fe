import type { UserCaller } from '@profile-service/auth';
import { contract, type Persona, ProblemError } from '@profile-service/contracts';
import { columns, type HandlerDatabase, type HandlerTables, type Placeholders, statement } from '@profile-service/db';
import type { Kysely } from 'kysely';
import { implement, withPrecheck } from '../request/handler.ts';
import { assertMayManage, lockUserForChange } from './users.ts';

interface Membership {
  userId: string;
  tenantId: string;
}

const findUser = statement((db, p: Placeholders<{ userId: string }>) =>
  db.selectFrom('users').select(['id', 'type']).where('id', '=', p.userId).where('deletedAt', 'is', null),
);
const findTenant = statement((db, p: Placeholders<{ tenantId: string }>) =>
  db.selectFrom('tenants').select('id').where('id', '=', p.tenantId),
);
const upsertMembership = statement((db, p: Placeholders<Membership & { persona: Persona }>) =>
  db
    .insertInto('memberships')
    .values(columns(p, 'userId', 'tenantId', 'persona'))
    .onConflict((conflict) => conflict.columns(['userId', 'tenantId']).doUpdateSet({ persona: p.persona })),
);
/** Locks the user, as `lockUserForChange` does, and assigns the tenant in the same round trip. Returns no row for an unknown user. */
const lockUserAndAssign = statement((db, p: Placeholders<Membership & { persona: Persona; mayManageGlobal: boolean }>) =>
  db
    .with('member', (cte) =>
      cte.selectFrom('users').select(['id', 'type']).where('id', '=', p.userId).where('deletedAt', 'is', null).forUpdate(),
    )
    .with('assigned', (cte) =>
      cte
        .insertInto('memberships')
        .columns(['userId', 'tenantId', 'persona'])
        .expression((eb) =>
          eb
            .selectFrom('member')
            .select(['member.id as userId', eb.cast<string>(eb.val(p.tenantId), 'uuid').as('tenantId'), eb.val(p.persona).as('persona')])
            .where((where) =>
              where.or([where('member.type', '<>', 'Global'), where.cast<boolean>(where.val(p.mayManageGlobal), 'boolean')]),
            ),
        )
        .onConflict((conflict) => conflict.columns(['userId', 'tenantId']).doUpdateSet({ persona: p.persona })),
    )
    .selectFrom('member')
    .select('member.type'),
);
const deleteMembership = statement((db, p: Placeholders<Membership>) =>
  db.deleteFrom('memberships').where('userId', '=', p.userId).where('tenantId', '=', p.tenantId),
);
const listTenants = statement((db, p: Placeholders<{ userId: string }>) => tenantsOf(db, p.userId));
const listUsers = statement((db, p: Placeholders<{ tenantId: string }>) =>
  db
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.userId')
    .select(['users.id', 'users.name', 'users.email', 'users.type', 'users.jobTitle', 'memberships.persona'])
    .where('memberships.tenantId', '=', p.tenantId)
    .where('users.deletedAt', 'is', null)
    .orderBy('users.id', 'desc'),
);

/** Creates a membership, or changes its persona. Throws TENANT_NOT_FOUND, from the foreign key. @param db may be `atCommit` of a transaction */
export const assign = (db: Pick<HandlerDatabase, 'run'>, membership: Membership & { persona: Persona }): Promise<void> =>
  db.run(upsertMembership, membership);

/** Selects the tenants of a user, newest first. */
export function tenantsOf(db: Kysely<HandlerTables>, userId: string) {
  return db
    .selectFrom('memberships')
    .innerJoin('tenants', 'tenants.id', 'memberships.tenantId')
    .select(['tenants.id', 'tenants.customerId', 'tenants.appId', 'tenants.name', 'tenants.active', 'memberships.persona'])
    .where('memberships.userId', '=', userId)
    .orderBy('tenants.id', 'desc');
}

/** Throws NOT_ALLOWED for a Global user unless the caller is Global too. */
async function assertMayAssign({ input, caller, db }: { input: Membership; caller: UserCaller; db: HandlerDatabase }): Promise<void> {
  assertMayManage(caller, (await db.first(findUser, input))?.type);
}

export const memberships = implement(contract.memberships, {
  list: async ({ input: { userId }, db }) => {
    // Together, these are one round trip.
    const [data] = await Promise.all([
      db.all(listTenants, { userId }),
      db.first(findUser, { userId }, () => new ProblemError('USER_NOT_FOUND')),
    ]);
    return { data };
  },

  assign: withPrecheck(assertMayAssign, async ({ input: { userId, tenantId, persona }, caller, db, invalidateCallers }) => {
    invalidateCallers({ userId: [userId] });
    const membership = { userId, tenantId, persona, mayManageGlobal: caller.isGlobal };
    const { type } = await db.atCommit.first(lockUserAndAssign, membership, () => new ProblemError('USER_NOT_FOUND'));
    assertMayManage(caller, type);
    return { userId, tenantId };
  }),

  remove: async ({ input: { userId, tenantId }, caller, db, invalidateCallers }) => {
    const { idIdentity } = await lockUserForChange(db, caller, userId);
    invalidateCallers({ sub: [idIdentity] });
    await db.atCommit.run(deleteMembership, { userId, tenantId });
  },

  users: async ({ input, db, encodeRow }) => {
    const [data] = await Promise.all([
      db.encoded(listUsers, input, encodeRow),
      db.first(findTenant, input, () => new ProblemError('TENANT_NOT_FOUND')),
    ]);
    return { data };
  },
});
