import KeycloakAdminClient, { NetworkError } from '@keycloak/keycloak-admin-client';
import { createRemoteJWKSet, jwtVerify, type JWTPayload } from 'jose';
import { duringTests } from '../../../../../test/during-tests.ts';
import { service } from './realm-data.ts';
import type { TestedProvider } from './start-provider.ts';

/** The addresses of a provider. */
type Addresses = Pick<TestedProvider, 'url' | 'realmUrl' | 'realm'>;

/** Returns the data of a new enabled user with a random e-mail. */
export const newUser = () => ({ email: `${crypto.randomUUID()}@example.com`, firstName: 'Nova', lastName: 'Pessoa', enabled: true });

/** Posts a form to the token endpoint. */
export async function requestToken({ realmUrl }: Addresses, form: Record<string, string>, headers: Record<string, string> = {}) {
  const init = { method: 'POST', body: new URLSearchParams(form), headers };
  const response = await fetch(`${realmUrl}/protocol/openid-connect/token`, init);
  return { status: response.status, body: (await response.json()) as Record<string, string> };
}

/** Requests tokens with the password grant of the public client. */
export const passwordGrant = (idp: Addresses, username: string, password: string, more: Record<string, string> = {}) =>
  requestToken(idp, { grant_type: 'password', client_id: 'profile-web', username, password, ...more });

/** Requests tokens with a refresh token of the public client. */
export const refreshGrant = (idp: Addresses, refreshToken = '') =>
  requestToken(idp, { grant_type: 'refresh_token', client_id: 'profile-web', refresh_token: refreshToken });

/** The header with the credentials of a client. */
export const basic = ({ clientId, secret }: typeof service): Record<string, string> => ({
  authorization: `Basic ${btoa(`${clientId}:${secret}`)}`,
});

/** Verifies a token as this service does: with the keys of the discovery document and the exact issuer. */
export async function verified(idp: Addresses, token: string | undefined): Promise<{ payload: JWTPayload; header: object }> {
  const discovery = await fetch(`${idp.realmUrl}/.well-known/openid-configuration`);
  const { jwks_uri: keys, issuer } = (await discovery.json()) as { jwks_uri: string; issuer: string };
  const { payload, protectedHeader } = await jwtVerify(token ?? '', createRemoteJWKSet(new URL(keys)), { issuer });
  return { payload, header: protectedHeader };
}

/** Returns Keycloak's admin client, logged in with a service account. */
export async function adminClient(idp: Addresses, { clientId, secret } = service): Promise<KeycloakAdminClient> {
  const client = new KeycloakAdminClient({ baseUrl: idp.url, realmName: idp.realm });
  await client.auth({ grantType: 'client_credentials', clientId, clientSecret: secret });
  return client;
}

/** Keycloak's admin client while the tests of a file run. */
export const useAdmin = (idp: Addresses): KeycloakAdminClient => duringTests(() => adminClient(idp));

/** Creates a user with a password. */
export async function createLogin(admin: KeycloakAdminClient, fields: object = {}) {
  const [user, password] = [newUser(), 'the first password'];
  const { id } = await admin.users.create({ ...user, credentials: [{ type: 'password', value: password }], ...fields });
  return { id, email: user.email, password };
}

/** Returns status and body of the error with which the call of an admin client rejects. */
export async function errorOf(call: Promise<unknown>): Promise<{ status: number; data: unknown }> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof NetworkError)) throw new Error(`Expected an error response, got ${String(error)}`);
  return { status: error.response.status, data: error.responseData };
}
