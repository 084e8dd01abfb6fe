import { type ErrorCode, Uuid } from '@profile-service/contracts';
import { type Database, ifGiven, type OrganizationScope, type Placeholders, statement, unscoped } from '@profile-service/db';
import type { StoredService, StoredUser } from './caller.ts';

const nowhere: OrganizationScope = { kind: 'none' };

/** Selects a live user, with one row for each tenant that can become active, or one row without a tenant. */
const findUser = statement((db, p: Placeholders<{ sub: string; tenantId: string | null | undefined }>) =>
  db
    .selectFrom('users')
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('memberships')
          .innerJoin('tenants', 'tenants.id', 'memberships.tenantId')
          .select(['memberships.tenantId', 'memberships.persona', 'memberships.scope'])
          .whereRef('memberships.userId', '=', 'users.id')
          .where('tenants.active', '=', true)
          .where((member) => ifGiven(p.tenantId, (tenantId) => member('memberships.tenantId', '=', tenantId)))
          // Two rows show that there are several.
          .limit(2)
          .as('member'),
      (join) => join.onTrue(),
    )
    .select(['users.id', 'users.name', 'users.email', 'users.type', 'member.tenantId', 'member.persona', 'member.scope'])
    .where('users.idIdentity', '=', p.sub)
    .where('users.deletedAt', 'is', null),
);

const findTenant = statement((db, p: Placeholders<{ sub: string; azp: string }>) =>
  db
    .selectFrom('tenants')
    .select('tenants.id')
    .where('identityClientId', '=', p.azp)
    .where('active', '=', true)
    .where((eb) =>
      eb.not(
        eb.exists(eb.selectFrom('users').select('users.id').where('users.idIdentity', '=', p.sub).where('users.deletedAt', 'is', null)),
      ),
    ),
);

/**
 * Loads the live user with this identity and resolves the active tenant (TENANT-1 to TENANT-7) in one statement.
 * @param tenantHeader X-Tenant-Id as received; empty counts as absent
 * @returns null if no live user has this identity
 */
export async function loadUser({ executor }: Database, sub: string, tenantHeader: string): Promise<StoredUser | null> {
  // A header that is not a UUID selects no tenant: no id equals null.
  const wanted = tenantHeader === '' ? undefined : (Uuid.safeParse(tenantHeader).data ?? null);
  const found = await unscoped(executor).all(findUser, { sub, tenantId: wanted });
  const user = found[0];
  if (!user) return null;

  const isGlobal = user.type === 'Global';
  const identity = { userId: user.id, name: user.name, email: user.email, type: user.type };
  const refuse = (refusal: ErrorCode): StoredUser => ({ ...identity, tenant: null, refusal, organizationScope: nowhere });

  if (tenantHeader === '' && isGlobal) return { ...identity, tenant: null, refusal: null, organizationScope: { kind: 'all' } };
  if (!user.tenantId) return refuse(tenantHeader === '' ? 'ACTIVE_TENANT_REQUIRED' : 'TENANT_NOT_ALLOWED');
  if (found.length > 1) return refuse('ACTIVE_TENANT_REQUIRED');
  if (!user.persona) return refuse('PERSONA_NOT_ASSIGNED');

  const { tenantId, persona } = user;
  // RESTRICTED does not apply to Global users and tenant-admins: they see all organizations of the tenant.
  const restricted = user.scope === 'RESTRICTED' && !isGlobal && persona !== 'tenant-admin';
  const organizationScope: OrganizationScope = restricted
    ? { kind: 'restricted', tenantId, userId: user.id }
    : { kind: 'tenant', tenantId };
  return { ...identity, tenant: { id: tenantId, persona }, refusal: null, organizationScope };
}

/**
 * Loads the active tenant whose identityClientId is the token's azp.
 * @returns null if there is none, or if the subject is a user of this service: users do not act as applications
 */
export async function loadService({ executor }: Database, sub: string, azp: string): Promise<StoredService | null> {
  const tenant = await unscoped(executor).first(findTenant, { sub, azp });
  return tenant ? { tenantId: tenant.id } : null;
}
