import type { Membership, Model, Persona, Tenant, User } from './model.ts';
import type { Token } from './token.ts';

/** Which organizations are in scope, as in `GET /api/me/permissions`. */
export type OrganizationScope = 'ALL' | 'TENANT' | 'RESTRICTED' | 'NONE';

/** A caller, with the active tenant. */
export interface ResolvedCaller {
  token: Token;
  /** The caller of an `/api` endpoint. */
  user: User | null;
  isGlobal: boolean;
  tenant: Tenant | null;
  persona: Persona | null;
  organizationScope: OrganizationScope;
  /** In the active tenant. Its grants are the scope of a RESTRICTED member. */
  membership: Membership | null;
  /** Why no tenant is active: the error code of all endpoints except `/api/me`. */
  refusal: string | null;
}

/** Resolves a user and the active tenant. Returns an error code for an unknown caller. */
export function resolveUser(model: Model, token: Token | null, header = ''): ResolvedCaller | string {
  if (!token) return 'UNAUTHORIZED';
  const user = [...model.users.values()].find(({ idIdentity }) => idIdentity === token.sub);
  if (!user) return 'USER_NOT_PROVISIONED';
  const isGlobal = user.type === 'Global';
  const nowhere = { token, user, isGlobal, tenant: null, persona: null, membership: null };
  if (header === '' && isGlobal) return { ...nowhere, organizationScope: 'ALL', refusal: null };

  // Only memberships of active tenants count.
  const counting = [...model.memberships.values()].filter(
    ({ userId, tenantId }) => userId === user.id && model.tenants.get(tenantId)?.active === true,
  );
  const refused = (refusal: string): ResolvedCaller => ({ ...nowhere, organizationScope: 'NONE', refusal });
  const named = header === '' ? counting : counting.filter(({ tenantId }) => tenantId === header.toLowerCase());
  const [membership, ...others] = named;
  if (!membership || others.length > 0) return refused(header === '' ? 'ACTIVE_TENANT_REQUIRED' : 'TENANT_NOT_ALLOWED');
  const { tenantId, persona, scope } = membership;
  if (persona === null) return refused('PERSONA_NOT_ASSIGNED');
  const tenant = model.tenants.get(tenantId) ?? null;
  // A saved RESTRICTED does not apply to a tenant-admin or to a Global user.
  const restricted = scope === 'RESTRICTED' && persona !== 'tenant-admin' && !isGlobal;
  return {
    ...nowhere,
    tenant,
    persona,
    organizationScope: restricted ? 'RESTRICTED' : 'TENANT',
    membership,
    refusal: null,
  };
}

/** Resolves an application: its own token, with the client of an active tenant. */
export function resolveApplication(model: Model, token: Token | null): ResolvedCaller | string {
  if (!token) return 'UNAUTHORIZED';
  const isPerson = token.hasSession || [...model.users.values()].some(({ idIdentity }) => idIdentity === token.sub);
  const tenant = [...model.tenants.values()].find(({ identityClientId }) => identityClientId !== null && identityClientId === token.azp);
  if (isPerson || !tenant?.active) return 'CLIENT_NOT_LINKED';
  return { token, user: null, isGlobal: false, tenant, persona: null, organizationScope: 'TENANT', membership: null, refusal: null };
}
