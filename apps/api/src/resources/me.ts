import { may, type UserCaller } from '@profile-service/auth';
import { contract, endpoints, type Action } from '@profile-service/contracts';
import type { ScopedDatabase } from '@profile-service/db';
import { implement } from '../handler/handler.ts';
import { tenantsOf } from './memberships.ts';

const scopeNames = { all: 'ALL', tenant: 'TENANT', restricted: 'RESTRICTED', none: 'NONE' } as const;

export const me = implement(contract.me, {
  tenants: async ({ caller, db }) => ({
    data: await tenantsOf(db, caller.userId).where('tenants.active', '=', true).where('memberships.persona', 'is not', null).execute(),
  }),

  permissions: async ({ caller, scoped }) => {
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
  },
});

/** A tenant may have 100,000 organizations: the ids are named only where they are grants. */
async function allowedIds(kind: keyof typeof scopeNames, scoped: ScopedDatabase): Promise<string[] | null> {
  if (kind === 'none') return [];
  if (kind !== 'restricted') return null;
  const organizations = await scoped.organizations().select('organizations.id').orderBy('organizations.id').execute();
  return organizations.map(({ id }) => id);
}

/** Each resource with the scopes of the rows that would let the caller pass; a caller without a tenant passes none. */
function permissionsOf(caller: UserCaller): { resource: string; scopes: Action[] }[] {
  const granted = new Map<string, Set<Action>>();
  for (const { endpoint } of caller.refusal ? [] : endpoints) {
    if (endpoint.access.kind !== 'user' || may(caller, endpoint.access) === 'denied') continue;
    const { resource, action } = endpoint.access;
    granted.set(resource, (granted.get(resource) ?? new Set()).add(action));
  }
  return [...granted].map(([resource, scopes]) => ({ resource, scopes: [...scopes] }));
}
