import type { UserCaller } from '@profile-service/auth';
import { contract, type Persona, ProblemError } from '@profile-service/contracts';
import { columns, type UnscopedDatabase, type UnscopedTables, type Placeholder, type Placeholders, statement } from '@profile-service/db';
import type { Kysely } from 'kysely';
import { read, write } from '../request/handler.ts';
import { implement } from '../request/router.ts';
import { findTenant } from './tenant-deleted.ts';
import { lockUserForChange } from './users.ts';

interface Membership {
  userId: string;
  tenantId: string;
}

const findUser = statement((db, p: Placeholders<{ userId: string }>) =>
  db.selectFrom('users').select(['id', 'type']).where('id', '=', p.userId).where('deletedAt', 'is', null),
);
const upsertMembership = statement((db, p: Placeholders<Membership & { persona: Persona }>) =>
  db
    .insertInto('memberships')
    .values(columns(p, 'userId', 'tenantId', 'persona'))
    .onConflict((conflict) => conflict.columns(['userId', 'tenantId']).doUpdateSet({ persona: p.persona })),
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
export const assign = (db: Pick<UnscopedDatabase, 'run'>, membership: Membership & { persona: Persona }): Promise<void> =>
  db.run(upsertMembership, membership);

/** Selects the tenants of a user, newest first. */
export function tenantsOf(db: Kysely<UnscopedTables>, userId: Placeholder<string>) {
  return db
    .selectFrom('memberships')
    .innerJoin('tenants', 'tenants.id', 'memberships.tenantId')
    .select(['tenants.id', 'tenants.customerId', 'tenants.appId', 'tenants.name', 'tenants.active', 'memberships.persona'])
    .where('memberships.userId', '=', userId)
    .orderBy('tenants.id', 'desc');
}

/** Locks the member. Throws as `lockUserForChange`. */
const lockMember = ({ input, caller, unscoped }: { input: { userId: string }; caller: UserCaller; unscoped: UnscopedDatabase }) =>
  lockUserForChange(unscoped, caller, input.userId);

export const memberships = implement(contract.memberships, {
  list: read(async ({ input: { userId }, unscoped }) => {
    // Together, these are one round trip.
    const [data] = await Promise.all([
      unscoped.all(listTenants, { userId }),
      unscoped.first(findUser, { userId }, () => new ProblemError('USER_NOT_FOUND')),
    ]);
    return { data };
  }),

  assign: write(lockMember, async ({ input: { userId, tenantId, persona }, unscoped, invalidateCallers }, { idIdentity }) => {
    invalidateCallers({ sub: [idIdentity] });
    await assign(unscoped.atCommit, { userId, tenantId, persona });
    return { userId, tenantId };
  }),

  remove: write(lockMember, async ({ input: { userId, tenantId }, unscoped, invalidateCallers }, { idIdentity }) => {
    invalidateCallers({ sub: [idIdentity] });
    await unscoped.atCommit.run(deleteMembership, { userId, tenantId });
  }),

  users: read(async ({ input, unscoped, encodeRow }) => {
    const data = await unscoped.encoded(listUsers, input, encodeRow);
    // A tenant with members exists.
    if (data.chunks.length === 0) await unscoped.first(findTenant, { id: input.tenantId }, () => new ProblemError('TENANT_NOT_FOUND'));
    return { data };
  }),
});
