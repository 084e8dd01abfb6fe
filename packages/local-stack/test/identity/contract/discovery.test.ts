import { createPublicKey, type JsonWebKey } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startProvider } from './start-provider.ts';
import type { TestedProvider } from './tested-provider.ts';

let idp: TestedProvider;

beforeAll(async () => {
  idp = await startProvider();
});
afterAll(() => idp.stop());

const configuration = async () =>
  (await (await fetch(`${idp.realmUrl}/.well-known/openid-configuration`)).json()) as Record<string, unknown>;

test('the discovery document names the issuer and the endpoints below it', async () => {
  const protocol = `${idp.realmUrl}/protocol/openid-connect`;
  expect(await configuration()).toMatchObject({
    issuer: idp.realmUrl,
    authorization_endpoint: `${protocol}/auth`,
    token_endpoint: `${protocol}/token`,
    userinfo_endpoint: `${protocol}/userinfo`,
    end_session_endpoint: `${protocol}/logout`,
    jwks_uri: `${protocol}/certs`,
    check_session_iframe: `${protocol}/login-status-iframe.html`,
    revocation_endpoint: `${protocol}/revoke`,
    introspection_endpoint: `${protocol}/token/introspect`,
    subject_types_supported: expect.arrayContaining(['public']),
    authorization_response_iss_parameter_supported: true,
  });
});

/** Each list: the values that both providers have, and further values of Keycloak. */
const lists: [string, string[], string[]][] = [
  [
    'grant_types_supported',
    ['authorization_code', 'client_credentials', 'password', 'refresh_token'],
    [
      'implicit',
      ...['device_code', 'jwt-bearer', 'token-exchange', 'uma-ticket'].map((name) => `urn:ietf:params:oauth:grant-type:${name}`),
    ].concat('urn:openid:params:grant-type:ciba'),
  ],
  [
    'response_types_supported',
    ['code'],
    ['none', 'id_token', 'token', 'id_token token', 'code id_token', 'code token', 'code id_token token'],
  ],
  ['response_modes_supported', ['query', 'fragment', 'form_post'], ['query.jwt', 'fragment.jwt', 'form_post.jwt', 'jwt']],
  ['subject_types_supported', ['public'], ['pairwise']],
  ['prompt_values_supported', ['none', 'login'], ['consent']],
  [
    'id_token_signing_alg_values_supported',
    ['RS256'],
    ['RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'HS256', 'HS384', 'HS512'],
  ],
  ...['token', 'revocation', 'introspection'].map((name): [string, string[], string[]] => [
    `${name}_endpoint_auth_methods_supported`,
    ['client_secret_basic', 'client_secret_post'],
    ['private_key_jwt', 'tls_client_auth', 'client_secret_jwt'],
  ]),
  [
    'scopes_supported',
    ['openid', 'profile', 'email'],
    ['service_account', 'basic', 'address', 'phone', 'offline_access', 'roles', 'web-origins', 'organization', 'microprofile-jwt', 'acr'],
  ],
  ['claim_types_supported', ['normal'], []],
  [
    'claims_supported',
    ['iss', 'sub', 'aud', 'exp', 'iat', 'auth_time', 'acr', 'azp', 'nonce'].concat([
      'name',
      'given_name',
      'family_name',
      'preferred_username',
      'email',
    ]),
    [],
  ],
  ['code_challenge_methods_supported', ['S256'], ['plain']],
];

test.each(lists)('%s contains what both providers have, and nothing that Keycloak does not have', async (name, common, others) => {
  const values = (await configuration())[name];
  expect(values).toEqual(expect.arrayContaining(common));
  expect([...common, ...others]).toEqual(expect.arrayContaining(values as string[]));
});

test.each(['.well-known/openid-configuration', 'protocol/openid-connect/certs'])('%s can be read by any origin', async (path) => {
  const response = await fetch(`${idp.realmUrl}/${path}`, { headers: { origin: 'https://frontend.example' } });
  expect([response.status, response.headers.get('content-type')?.split(';')[0]]).toEqual([200, 'application/json']);
  expect(response.headers.get('access-control-allow-origin')).toBe('https://frontend.example');
  expect(response.headers.get('access-control-allow-credentials')).toBe('true');
});

test.each(['', '/.well-known/openid-configuration', '/protocol/openid-connect/certs'])(
  'without an origin, the response of %j has no CORS headers',
  async (path) => {
    const { status, headers } = await fetch(idp.realmUrl + path);
    expect([status, [...headers.keys()].filter((name) => name.startsWith('access-control-'))]).toEqual([200, []]);
  },
);

test('the address of the realm has its name and a key of the certs endpoint', async () => {
  const [realm, certs] = await Promise.all(
    ['', '/protocol/openid-connect/certs'].map(
      async (path) => (await fetch(idp.realmUrl + path)).json() as Promise<Record<string, unknown>>,
    ),
  );
  const published = ((certs?.['keys'] ?? []) as JsonWebKey[]).map((key) =>
    createPublicKey({ key, format: 'jwk' }).export({ type: 'spki', format: 'der' }),
  );
  expect(realm).toMatchObject({ realm: idp.realmUrl.split('/').at(-1), 'token-service': `${idp.realmUrl}/protocol/openid-connect` });
  expect(published.map((key) => key.toString('base64'))).toContain(realm?.['public_key']);
});

test('an unknown realm and an unknown path are 404', async () => {
  const [realm, path] = [await fetch(`${idp.url}/realms/unknown/.well-known/openid-configuration`), await fetch(`${idp.realmUrl}/nothing`)];
  expect([realm.status, await realm.json()]).toEqual([404, { error: 'Realm does not exist' }]);
  expect(path.status).toBe(404);
});
