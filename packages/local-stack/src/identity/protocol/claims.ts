import type { JWTPayload } from 'jose';
import { webOrigins, type Client } from '../clients.ts';
import type { User } from '../users/user.ts';

/** Roles of realm-management that include others. `realm-admin` includes all of them; the ones that concern users are here. */
const composites: Record<string, string[]> = {
  'view-users': ['query-groups', 'query-users'],
  'realm-admin': ['manage-users', 'query-groups', 'query-users', 'view-users'],
};

/**
 * Returns the claims that Keycloak's mappers add to an access token. `scope` is the scope of the token.
 * `aud` names the other clients in which the user has roles. Without roles, aud, realm_access and resource_access are missing.
 */
export function accessClaims(user: User, client: Client, scope: string): JWTPayload {
  const clientRoles = Object.entries(user.clientRoles).filter(([, roles]) => roles.length > 0);
  const audience = clientRoles.map(([clientId]) => clientId).filter((clientId) => clientId !== client.clientId);
  const [only] = audience;
  const origins = webOrigins(client);
  return {
    ...(only === undefined ? {} : { aud: audience.length === 1 ? only : audience }),
    sub: user.id,
    typ: 'Bearer',
    azp: client.clientId,
    acr: '1',
    ...(origins.length === 0 ? {} : { 'allowed-origins': origins }),
    ...(user.realmRoles.length === 0 ? {} : { realm_access: { roles: user.realmRoles } }),
    ...(clientRoles.length === 0
      ? {}
      : { resource_access: Object.fromEntries(clientRoles.map(([id, roles]) => [id, { roles: expanded(roles) }])) }),
    scope,
    ...profileClaims(user),
  };
}

/** Returns the claims about the user in tokens and at the userinfo endpoint. */
export function profileClaims(user: User): JWTPayload {
  const name = [user.firstName, user.lastName].filter((part) => part !== undefined).join(' ');
  return {
    email_verified: user.emailVerified,
    ...(name === '' ? {} : { name }),
    preferred_username: user.username,
    ...(user.firstName === undefined ? {} : { given_name: user.firstName }),
    ...(user.lastName === undefined ? {} : { family_name: user.lastName }),
    ...(user.email === undefined ? {} : { email: user.email }),
  };
}

/** Returns the granted scope, which includes the realm's default scopes. */
export function grantedScope(requested: Iterable<string>): string {
  return [...new Set(requested)].includes('openid') ? 'openid profile email' : 'profile email';
}

function expanded(roles: string[]): string[] {
  return [...new Set([...roles, ...roles.flatMap((role) => composites[role] ?? [])])];
}
