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
    subject_types_supported: expect.arrayContaining(['public']),
    authorization_response_iss_parameter_supported: true,
  });
});

test.each([
  ['grant_types_supported', ['authorization_code', 'client_credentials', 'password', 'refresh_token']],
  ['response_types_supported', ['code']],
  ['response_modes_supported', ['query', 'fragment', 'form_post']],
  ['id_token_signing_alg_values_supported', ['RS256']],
  ['token_endpoint_auth_methods_supported', ['client_secret_basic', 'client_secret_post']],
  ['scopes_supported', ['openid', 'profile', 'email']],
  ['claims_supported', ['iss', 'sub', 'aud', 'name', 'given_name', 'family_name', 'preferred_username', 'email']],
  ['code_challenge_methods_supported', ['S256']],
])('%s contains what this service and its frontends use', async (name, values) => {
  expect((await configuration())[name]).toEqual(expect.arrayContaining(values));
});

test.each(['.well-known/openid-configuration', 'protocol/openid-connect/certs'])('%s can be read by any origin', async (path) => {
  const response = await fetch(`${idp.realmUrl}/${path}`, { headers: { origin: 'https://frontend.example' } });
  expect([response.status, response.headers.get('content-type')?.split(';')[0]]).toEqual([200, 'application/json']);
  expect(response.headers.get('access-control-allow-origin')).toBe('https://frontend.example');
});

test('an unknown realm and an unknown path are 404', async () => {
  const [realm, path] = [await fetch(`${idp.url}/realms/unknown/.well-known/openid-configuration`), await fetch(`${idp.realmUrl}/nothing`)];
  expect([realm.status, await realm.json()]).toEqual([404, { error: 'Realm does not exist' }]);
  expect(path.status).toBe(404);
});
