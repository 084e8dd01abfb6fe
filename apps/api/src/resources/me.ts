import { may, type UserCaller } from '@profile-service/auth';
import { contract, endpoints, type Action } from '@profile-service/contracts';
import { type Placeholders, type ScopedDatabase, scopedStatement, statement } from '@profile-service/db';
import { read } from '../request/handler.ts';
import { implement } from '../request/router.ts';
import { tenantsOf } from './memberships.ts';

const scopeNames = { all: 'ALL', tenant: 'TENANT', restricted: 'RESTRICTED', none: 'NONE' } as const;

const listUsableTenants = statement((db, p: Placeholders<{ userId: string }>) =>
  tenantsOf(db, p.userId).where('tenants.active', '=', true).where('memberships.persona', 'is not', null),
);
const listOrganizationIds = scopedStatement((scoped) => scoped.organizations().select('organizations.id').orderBy('organizations.id'));

export const me = implement(contract.me, {
  tenants: read(async ({ caller, unscoped }) => ({ data: await unscoped.all(listUsableTenants, { userId: caller.userId }) })),

  permissions: read(async ({ caller, scoped }) => {
    const { userId, name, email, type, tenant, claims, organizationScope } = caller;
    return {
      userId,
      name,
      email,
      type,
      isSuperAdmin: claims.isSuperAdmin,
      tenantId: tenant?.id ?? null,
      persona: tenant?.persona ?? null,
      permissions: permissionsOf(caller),
      organizationScope: scopeNames[organizationScope.kind],
      allowedOrganizationIds: await allowedIds(organizationScope.kind, scoped),
    };
  }),
});

/** Lists the organizations in a RESTRICTED scope. Other scopes return null, because a tenant may have 100,000 organizations (ME-5). */
async function allowedIds(kind: keyof typeof scopeNames, scoped: ScopedDatabase): Promise<string[] | null> {
  if (kind === 'none') return [];
  if (kind !== 'restricted') return null;
  const organizations = await scoped.all(listOrganizationIds, {});
  return organizations.map(({ id }) => id);
}

/** Lists the actions that the caller may perform, by resource. A caller without an active tenant because of a `refusal` has none (ME-4, ME-6). */
function permissionsOf(caller: UserCaller): { resource: string; scopes: Action[] }[] {
  const granted = new Map<string, Set<Action>>();
  for (const { endpoint } of caller.refusal ? [] : endpoints) {
    if (endpoint.access.kind !== 'user' || may(caller, endpoint.access) === 'denied') continue;
    const { resource, action } = endpoint.access;
    granted.set(resource, (granted.get(resource) ?? new Set()).add(action));
  }
  return [...granted].map(([resource, scopes]) => ({ resource, scopes: [...scopes] }));
}
