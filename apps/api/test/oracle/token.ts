import { randomUUID } from 'node:crypto';

/** The content of an access token. */
export interface Token {
  sub: string;
  /** The client; empty: the token names none. */
  azp: string;
  /** Whether a person logged in. */
  hasSession: boolean;
  realmRoles: readonly string[];
  /** Roles of this service's own client. */
  clientRoles: readonly string[];
  otherClientRoles: readonly string[];
  /** What an RPT permits. `forOther`: it was issued for another client than this service's. */
  permission: { forOther: boolean; resource: string; action: string } | null;
}

export const ownClient = 'profile-service';
export const otherClient = 'harvest';

/** A token with these parts. Without any it is the token of a person's login who has no roles. */
export const tokenOf = (sub: string, parts: Partial<Omit<Token, 'sub'>> = {}): Token => ({
  sub,
  azp: 'web',
  hasSession: true,
  realmRoles: [],
  clientRoles: [],
  otherClientRoles: [],
  permission: null,
  ...parts,
});

/** The claims with which Keycloak would write the token. */
export const claimsOf = ({ sub, azp, hasSession, realmRoles, clientRoles, otherClientRoles, permission }: Token) => ({
  sub,
  ...(azp === '' ? {} : { azp }),
  ...(hasSession ? { sid: randomUUID() } : {}),
  realm_access: { roles: realmRoles },
  resource_access: { [ownClient]: { roles: clientRoles }, [otherClient]: { roles: otherClientRoles } },
  ...(permission && {
    aud: permission.forOther ? otherClient : ownClient,
    authorization: { permissions: [{ rsid: randomUUID(), rsname: permission.resource, scopes: [permission.action] }] },
  }),
});
