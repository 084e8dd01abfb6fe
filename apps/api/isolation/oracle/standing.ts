import type { Membership, Model, Persona, Tenant, User } from '../model.ts';

/** What a token says, as data. null: a token that is none. */
export interface Token {
  sub: string;
  azp: string;
  /** A person's login. */
  hasSession: boolean;
  realmRoles: readonly string[];
  /** Roles of this service's own client, and of another one. */
  clientRoles: readonly string[];
  otherClientRoles: readonly string[];
  /** What an RPT for this service's client, or for another one, permits. */
  permission: { forOther: boolean; resource: string; scope: string } | null;
}

/** Which organizations are in scope, in the words of `GET /api/me/permissions`. */
export type Reach = 'ALL' | 'TENANT' | 'RESTRICTED' | 'NONE';

/** Who calls, and where they stand. */
export interface Standing {
  token: Token;
  /** Of `/api`. */
  user: User | null;
  isGlobal: boolean;
  tenant: Tenant | null;
  persona: Persona | null;
  reach: Reach;
  /** In the active tenant; its grants are the reach where that is RESTRICTED. */
  membership: Membership | null;
  /** Why no tenant could be made active: all endpoints but those about the caller answer it. */
  refusal: string | null;
}

/** Specification part 5, the active tenant. Answers the code of whoever is not even known. */
export function userStanding(model: Model, token: Token | null, header = ''): Standing | string {
  if (!token) return 'UNAUTHORIZED';
  const user = [...model.users.values()].find(({ idIdentity }) => idIdentity === token.sub);
  if (!user) return 'USER_NOT_PROVISIONED';
  const isGlobal = user.type === 'Global';
  const nowhere = { token, user, isGlobal, tenant: null, persona: null, membership: null };
  if (header === '' && isGlobal) return { ...nowhere, reach: 'ALL', refusal: null };

  // Only memberships of active tenants count.
  const counting = [...model.memberships.values()].filter(
    ({ userId, tenantId }) => userId === user.id && model.tenants.get(tenantId)?.active === true,
  );
  const refused = (refusal: string): Standing => ({ ...nowhere, reach: 'NONE', refusal });
  const named = header === '' ? counting : counting.filter(({ tenantId }) => tenantId === header.toLowerCase());
  const [membership, ...others] = named;
  if (!membership || others.length > 0) return refused(header === '' ? 'ACTIVE_TENANT_REQUIRED' : 'TENANT_NOT_ALLOWED');
  const { tenantId, persona, scope } = membership;
  if (persona === null) return refused('PERSONA_NOT_ASSIGNED');
  const tenant = model.tenants.get(tenantId) ?? null;
  // A tenant-admin sees all of the tenant; a saved RESTRICTED does not bind a Global user either.
  const restricted = scope === 'RESTRICTED' && persona !== 'tenant-admin' && !isGlobal;
  return {
    ...nowhere,
    tenant,
    persona,
    reach: restricted ? 'RESTRICTED' : 'TENANT',
    membership,
    refusal: null,
  };
}

/** Specification part 5, the service flow: an application's own token, whose client is that of an active tenant. */
export function serviceStanding(model: Model, token: Token | null): Standing | string {
  if (!token) return 'UNAUTHORIZED';
  const isPerson = token.hasSession || [...model.users.values()].some(({ idIdentity }) => idIdentity === token.sub);
  const tenant = [...model.tenants.values()].find(({ identityClientId }) => identityClientId !== null && identityClientId === token.azp);
  if (isPerson || !tenant?.active) return 'CLIENT_NOT_LINKED';
  return { token, user: null, isGlobal: false, tenant, persona: null, reach: 'TENANT', membership: null, refusal: null };
}
