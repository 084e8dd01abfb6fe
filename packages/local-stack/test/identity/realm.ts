import KeycloakAdminClient from '@keycloak/keycloak-admin-client';
import { createRemoteJWKSet, jwtVerify, type JWTPayload } from 'jose';
import { inject } from 'vitest';
import { startIdentityProvider, type IdentityProvider } from '../../src/identity/provider.ts';
import type { IdentityProviderOptions } from '../../src/identity/options.ts';
import type { Provided } from '../../../../test/provided.ts';

export const service = { clientId: 'profile-service', secret: 'the-service' };
export const application = { clientId: 'app-a', secret: 'the-application' };
export const ana = { id: '11111111-1111-4111-8111-111111111111', email: 'ana@example.com', password: 'ana’s own' };
export const bob = { id: '22222222-2222-4222-8222-222222222222', email: 'bob@example.com', password: 'bob’s own' };

const signingKey: Provided['signingKey'] = inject('signingKey');

/** Starts a provider with a public client, this service's client and an application, and with Ana (with roles) and Bob (without). */
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
      { clientId: 'viewer', secret: 'the-viewer', serviceAccountRoles: { client: { 'realm-management': ['view-users'] } } },
    ],
    users: [
      { ...ana, firstName: 'Ana', lastName: 'Silva', realmRoles: ['super_admin'], clientRoles: { 'profile-service': ['users:read'] } },
      { ...bob, firstName: 'Bob', lastName: 'Souza' },
    ],
    ...options,
  });
}

/** Returns the data of a new enabled user with a random e-mail. */
export const newUser = () => ({ email: `${crypto.randomUUID()}@example.com`, firstName: 'Nova', lastName: 'Pessoa', enabled: true });

export interface TokenResponse {
  status: number;
  body: Record<string, string>;
}

/** Posts a form to the token endpoint. */
export async function requestToken(
  idp: IdentityProvider,
  form: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<TokenResponse> {
  const response = await fetch(`${idp.realmUrl}/protocol/openid-connect/token`, {
    method: 'POST',
    body: new URLSearchParams(form),
    headers,
  });
  return { status: response.status, body: (await response.json()) as Record<string, string> };
}

/** Requests tokens with the password grant of the public client. */
export function passwordGrant(
  idp: IdentityProvider,
  username: string,
  password: string,
  more: Record<string, string> = {},
): Promise<TokenResponse> {
  return requestToken(idp, { grant_type: 'password', client_id: 'profile-web', username, password, ...more });
}

/** Verifies a token as this service does: with the keys of the discovery document and the exact issuer. */
export async function verified(idp: IdentityProvider, token: string | undefined): Promise<{ payload: JWTPayload; header: object }> {
  const discovery = await fetch(`${idp.realmUrl}/.well-known/openid-configuration`);
  const { jwks_uri: keys, issuer } = (await discovery.json()) as { jwks_uri: string; issuer: string };
  const { payload, protectedHeader } = await jwtVerify(token ?? '', createRemoteJWKSet(new URL(keys)), { issuer });
  return { payload, header: protectedHeader };
}

/** Returns Keycloak's admin client, logged in with a service account. */
export async function adminClient(idp: IdentityProvider, { clientId, secret } = service): Promise<KeycloakAdminClient> {
  const client = new KeycloakAdminClient({ baseUrl: idp.url, realmName: idp.realm });
  await client.auth({ grantType: 'client_credentials', clientId, clientSecret: secret });
  return client;
}
