import KeycloakAdminClient from '@keycloak/keycloak-admin-client';
import { createRemoteJWKSet, jwtVerify, type JWTPayload } from 'jose';
import { inject } from 'vitest';
import { startIdentityProvider, type IdentityProvider } from '../src/identity/provider.ts';
import type { IdentityProviderOptions } from '../src/identity/options.ts';
import type { Provided } from '../../../test/provided.ts';

export const service = { clientId: 'profile-service', secret: 'the-service' };
export const application = { clientId: 'app-a', secret: 'the-application' };
export const ana = { id: '11111111-1111-4111-8111-111111111111', email: 'ana@example.com', password: 'ana’s own' };
export const bob = { id: '22222222-2222-4222-8222-222222222222', email: 'bob@example.com', password: 'bob’s own' };

const signingKey: Provided['signingKey'] = inject('signingKey');

/** A provider with a browser's client, this service's and an application's, Ana with roles and Bob without. */
export function startRealm(options: IdentityProviderOptions = {}): Promise<IdentityProvider> {
  return startIdentityProvider({
    keys: [signingKey],
    clients: [
      { clientId: 'profile-web', public: true, redirectUris: ['http://localhost:*'] },
      {
        ...service,
        redirectUris: ['http://localhost:3000/*'],
        serviceAccountRoles: { client: { 'realm-management': ['view-users', 'manage-users'] } },
      },
      application,
      { clientId: 'wild', public: true, redirectUris: ['http://localhost*'] },
      { clientId: 'looker', secret: 'the-looker', serviceAccountRoles: { client: { 'realm-management': ['view-users'] } } },
    ],
    users: [
      { ...ana, firstName: 'Ana', lastName: 'Silva', realmRoles: ['super_admin'], clientRoles: { 'profile-service': ['users:read'] } },
      { ...bob, firstName: 'Bob', lastName: 'Souza' },
    ],
    ...options,
  });
}

export interface TokenAnswer {
  status: number;
  body: Record<string, string>;
}

/** Posts a form to the token endpoint. */
export async function requestToken(
  idp: IdentityProvider,
  form: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<TokenAnswer> {
  const response = await fetch(`${idp.realmUrl}/protocol/openid-connect/token`, {
    method: 'POST',
    body: new URLSearchParams(form),
    headers,
  });
  return { status: response.status, body: (await response.json()) as Record<string, string> };
}

/** The password grant through the browser's client. */
export function passwordGrant(
  idp: IdentityProvider,
  username: string,
  password: string,
  more: Record<string, string> = {},
): Promise<TokenAnswer> {
  return requestToken(idp, { grant_type: 'password', client_id: 'profile-web', username, password, ...more });
}

/** Verifies a token as this service does: keys from the discovery document, issuer to the letter. */
export async function verified(idp: IdentityProvider, token: string | undefined): Promise<{ payload: JWTPayload; header: object }> {
  const discovery = await fetch(`${idp.realmUrl}/.well-known/openid-configuration`);
  const { jwks_uri: keys, issuer } = (await discovery.json()) as { jwks_uri: string; issuer: string };
  const { payload, protectedHeader } = await jwtVerify(token ?? '', createRemoteJWKSet(new URL(keys)), { issuer });
  return { payload, header: protectedHeader };
}

/** Keycloak's own admin client, logged in as a client's service account. */
export async function adminClient(idp: IdentityProvider, { clientId, secret } = service): Promise<KeycloakAdminClient> {
  const client = new KeycloakAdminClient({ baseUrl: idp.url, realmName: idp.realm, timeout: 5000 });
  await client.auth({ grantType: 'client_credentials', clientId, clientSecret: secret });
  return client;
}
