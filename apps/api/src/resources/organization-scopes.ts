import { contract, type Persona, ProblemError, type UserType } from '@profile-service/contracts';
import { type UnscopedDatabase, type Placeholders, statement, unscopedStatement } from '@profile-service/db';
import { sql, type SqlBool } from 'kysely';
import { type InputOf, read, write } from '../request/handler.ts';
import { implement } from '../request/router.ts';

interface Membership {
  userId: string;
  tenantId: string;
}
type ScopeInput = InputOf<typeof contract.organizationScopes.set>;
type ByMembership = Placeholders<Membership>;
type Grants = Placeholders<Membership & { organizationIds: string[] }>;

const findUser = statement((db, p: Placeholders<{ userId: string }>) =>
  db.selectFrom('users').select('type').where('id', '=', p.userId).where('deletedAt', 'is', null),
);
/** Also makes changes of one user's scopes run one after the other: each one sees the grants that the previous one has added. */
const lockUser = statement((db, p: Placeholders<{ userId: string }>) =>
  db.selectFrom('users').select('idIdentity').where('id', '=', p.userId).where('deletedAt', 'is', null).forNoKeyUpdate(),
);
const lockTenant = statement((db, p: Placeholders<{ tenantId: string }>) =>
  db.selectFrom('tenants').select('id').where('id', '=', p.tenantId).forKeyShare(),
);
/** The links of the granted organizations, and of those whose grants are removed. */
const lockLinks = unscopedStatement('sets the grants of a membership', (db, p: Grants) =>
  db
    .selectFrom('organizationTenants')
    .select('organizationId')
    .where('tenantId', '=', p.tenantId)
    .where(
      sql<SqlBool>`organization_id in (
        select unnest(${p.organizationIds}::uuid[]) union
        select organization_id from membership_organizations where user_id = ${p.userId} and tenant_id = ${p.tenantId}
      )`,
    )
    .orderBy('organizationId')
    .forKeyShare(),
);
const getMembership = statement((db, p: ByMembership) =>
  db.selectFrom('memberships').select(['scope', 'persona', 'version']).where('userId', '=', p.userId).where('tenantId', '=', p.tenantId),
);
const lockMembership = statement((db, p: ByMembership) =>
  db.selectFrom('memberships').select('userId').where('userId', '=', p.userId).where('tenantId', '=', p.tenantId).forUpdate(),
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
const notMember = () => new ProblemError('USER_TENANT_NOT_FOUND');

/**
 * Locks the user, the tenant and the links, before the membership and its grants: changes of the user and deletions of the others lock in the same order. The
 * statements that change the membership and its grants check their foreign keys, which needs these locks. Throws USER_NOT_FOUND.
 */
async function lockReferences({ input, unscoped: db }: { input: ScopeInput; unscoped: UnscopedDatabase }): Promise<{ idIdentity: string }> {
  const { userId, tenantId } = input;
  const [user] = await Promise.all([
    db.first(lockUser, { userId }, notFound),
    db.first(lockTenant, { tenantId }),
    db.all(lockLinks, { userId, tenantId, organizationIds: organizationIdsOf(input) }),
  ]);
  return user;
}

/** The granted organizations: none for the scope ALL. */
const organizationIdsOf = ({ scope, organizationIds = [] }: ScopeInput): string[] =>
  scope === 'RESTRICTED' ? [...new Set(organizationIds)] : [];

/**
 * A tenant-admin sees all organizations of the tenant, and so does a Global user. For both, the stored scope has no effect (MEMBERSCOPES-3,
 * MEMBERSCOPES-4).
 */
function effectiveScope(scope: 'ALL' | 'RESTRICTED', persona: Persona | null, type: UserType) {
  if (persona === 'tenant-admin') return 'ALL_BY_PERSONA';
  return type === 'Global' ? 'ALL' : scope;
}

export const organizationScopes = implement(contract.organizationScopes, {
  // The tenant may be inactive.
  get: read(async ({ input, unscoped }) => {
    const { type } = await unscoped.first(findUser, input, notFound);
    // Read before the grants: if they change meanwhile, a write with this version fails.
    const { scope, persona, version } = await unscoped.first(getMembership, input, notMember);
    const grants = await unscoped.all(listGrants, input);
    return {
      scope,
      organizationIds: grants.map(({ organizationId }) => organizationId),
      effectiveScope: effectiveScope(scope, persona, type),
      version,
    };
  }),

  // Grants that stay are not touched, so that equal values change nothing. A foreign key rejects a grant on an organization that is not linked to the
  // tenant (MEMBERSCOPES-5, MEMBERSCOPES-9).
  set: write(lockReferences, async ({ input, unscoped, invalidateCallers }, { idIdentity }) => {
    const { userId, tenantId, scope } = input;
    const membership = { userId, tenantId };
    await unscoped.first(lockMembership, membership, notMember);
    invalidateCallers({ sub: [idIdentity] });
    const grants = { ...membership, organizationIds: organizationIdsOf(input) };
    await Promise.all([
      unscoped.run(setScope, { ...membership, scope }),
      unscoped.run(deleteOtherGrants, grants),
      ...(scope === 'RESTRICTED' ? [unscoped.run(insertGrants, grants)] : []),
    ]);
    return unscoped.atCommit.one(getMembership, membership);
  }),
});
