import type { JWTPayload } from 'jose';

/** The claims of a verified token that this service uses. */
export interface Claims {
  readonly sub: string;
  /** The client that the token was issued to; empty when the token has no `azp`. */
  readonly azp: string;
  /** Whether the token has `sid`: only a person's login has a session. */
  readonly hasSession: boolean;
  /** Realm roles and roles of this service's own client. */
  readonly roles: ReadonlySet<string>;
  readonly isSuperAdmin: boolean;
  /** RPT permissions at this service's own client, as `<resource> <scope>`. */
  readonly permissions: ReadonlySet<string>;
}

/** The key of an RPT permission in `Claims.permissions`. */
export const permissionKey = (resource: string, scope: string): string => `${resource} ${scope}`;

/**
 * Reads the claims from a verified payload as Keycloak writes it. A claim of another type counts as absent.
 * Roles and permissions of other clients are ignored.
 * @param clientId this service's own client at the provider
 */
export function readClaims(payload: JWTPayload & { sub: string }, clientId: string): Claims {
  const realmRoles = strings(record(payload['realm_access'])['roles']);
  const clientRoles = strings(record(record(payload['resource_access'])[clientId])['roles']);
  const audience = [payload.aud ?? []].flat();
  // An RPT's audience is the client that owns the resources in its permissions.
  const granted = audience.includes(clientId) ? list(record(payload['authorization'])['permissions']).map(record) : [];
  return {
    sub: payload.sub,
    azp: typeof payload['azp'] === 'string' ? payload['azp'] : '',
    hasSession: payload['sid'] !== undefined,
    roles: new Set([...realmRoles, ...clientRoles]),
    isSuperAdmin: realmRoles.includes('super_admin'),
    permissions: new Set(granted.flatMap(({ rsname, scopes }) => keysOf(rsname, scopes))),
  };
}

const keysOf = (resource: unknown, scopes: unknown): string[] =>
  typeof resource === 'string' ? strings(scopes).map((scope) => permissionKey(resource, scope)) : [];

const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const strings = (value: unknown): string[] => list(value).filter((item) => typeof item === 'string');
const record = (value: unknown): Record<string, unknown> => (typeof value === 'object' && value !== null ? { ...value } : {});
