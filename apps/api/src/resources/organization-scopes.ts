import { contract, type Persona, ProblemError, type UserType } from '@profile-service/contracts';
import { type HandlerDatabase, type Placeholders, statement, unscopedStatement } from '@profile-service/db';
import { sql, type SqlBool } from 'kysely';
import { implement, withPrecheck } from '../handler/handler.ts';

interface Membership {
  userId: string;
  tenantId: string;
}
type ByMembership = Placeholders<Membership>;
type Grants = Placeholders<Membership & { organizationIds: string[] }>;

const findUser = statement((db, p: Placeholders<{ userId: string }>) =>
  db.selectFrom('users').select(['idIdentity', 'type']).where('id', '=', p.userId).where('deletedAt', 'is', null),
);
const getMembership = statement((db, p: ByMembership) =>
  db.selectFrom('memberships').select(['scope', 'persona', 'version']).where('userId', '=', p.userId).where('tenantId', '=', p.tenantId),
);
const lockMembership = statement((db, p: ByMembership) =>
  db
    .selectFrom('memberships')
    .select(['scope', 'persona', 'version'])
    .where('userId', '=', p.userId)
    .where('tenantId', '=', p.tenantId)
    .forUpdate(),
);
const setScope = statement((db, p: Placeholders<Membership & { scope: 'ALL' | 'RESTRICTED' }>) =>
  db.updateTable('memberships').set({ scope: p.scope }).where('userId', '=', p.userId).where('tenantId', '=', p.tenantId),
);
const listGrants = unscopedStatement('sets the grants of a membership', (db, p: ByMembership) =>
  db
    .selectFrom('membershipOrganizations')
    .select('organizationId')
    .where('userId', '=', p.userId)
    .where('tenantId', '=', p.tenantId)
    .orderBy('organizationId'),
);
const deleteOtherGrants = unscopedStatement('sets the grants of a membership', (db, p: Grants) =>
  db
    .deleteFrom('membershipOrganizations')
    .where('userId', '=', p.userId)
    .where('tenantId', '=', p.tenantId)
    .where(sql<SqlBool>`organization_id <> all (${p.organizationIds}::uuid[])`),
);
const insertGrants = unscopedStatement('sets the grants of a membership', (db, p: Grants) =>
  db
    .insertInto('membershipOrganizations')
    .columns(['userId', 'tenantId', 'organizationId'])
    .onConflict((conflict) => conflict.doNothing())
    .expression((eb) =>
      eb
        .selectFrom(sql<{ organizationId: string }>`unnest(${p.organizationIds}::uuid[])`.as<'granted'>(sql`granted(organization_id)`))
        .select([sql<string>`${p.userId}::uuid`.as('userId'), sql<string>`${p.tenantId}::uuid`.as('tenantId'), 'granted.organizationId']),
    ),
);

const notFound = () => new ProblemError('USER_NOT_FOUND');

const assertUser = ({ input, db }: { input: Membership; db: HandlerDatabase }) => db.first(findUser, input, notFound);

/** Returns the membership with its user. The tenant may be inactive. Throws USER_NOT_FOUND or USER_TENANT_NOT_FOUND. */
async function membershipOf(db: HandlerDatabase, membership: Membership, { lock }: { lock: boolean }) {
  const user = await assertUser({ input: membership, db });
  const found = await db.first(lock ? lockMembership : getMembership, membership, () => new ProblemError('USER_TENANT_NOT_FOUND'));
  return { ...found, ...user };
}

/**
 * A tenant-admin sees all organizations of the tenant, and so does a Global user. For both, the stored scope has no effect (MEMBERSCOPES-3,
 * MEMBERSCOPES-4).
 */
function effectiveScope(scope: 'ALL' | 'RESTRICTED', persona: Persona | null, type: UserType) {
  if (persona === 'tenant-admin') return 'ALL_BY_PERSONA';
  return type === 'Global' ? 'ALL' : scope;
}

export const organizationScopes = implement(contract.organizationScopes, {
  get: async ({ input, db }) => {
    // Read before the grants: if they change meanwhile, a write with this version fails.
    const { scope, persona, type, version } = await membershipOf(db, input, { lock: false });
    const grants = await db.all(listGrants, input);
    return {
      scope,
      organizationIds: grants.map(({ organizationId }) => organizationId),
      effectiveScope: effectiveScope(scope, persona, type),
      version,
    };
  },

  // Grants that stay are not touched, so that equal values change nothing. A foreign key rejects a grant on an organization that is not linked to the tenant (MEMBERSCOPES-5, MEMBERSCOPES-9).
  set: withPrecheck(assertUser, async ({ input: { userId, tenantId, scope, organizationIds = [] }, db, invalidateCallers }) => {
    const membership = { userId, tenantId };
    const { idIdentity } = await membershipOf(db, membership, { lock: true });
    invalidateCallers({ sub: [idIdentity] });
    const grants = { ...membership, organizationIds: scope === 'RESTRICTED' ? [...new Set(organizationIds)] : [] };
    await Promise.all([
      db.run(setScope, { ...membership, scope }),
      db.run(deleteOtherGrants, grants),
      ...(scope === 'RESTRICTED' ? [db.run(insertGrants, grants)] : []),
    ]);
    return db.atCommit.one(getMembership, membership);
  }),
});
