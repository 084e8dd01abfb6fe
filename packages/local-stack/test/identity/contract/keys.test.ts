import { createPublicKey, type JsonWebKey } from 'node:crypto';
import { expect, test } from 'vitest';
import { ana } from './realm-data.ts';
import { adminClient, passwordGrant, requestToken, verified } from './requests.ts';
import { useProvider } from './start-provider.ts';

const idp = useProvider();
const json = async (path: string) => (await (await fetch(idp.realmUrl + path)).json()) as Record<string, unknown>;
const accessToken = async () => (await passwordGrant(idp, ana.email, ana.password)).body['access_token'] ?? '';

test('the discovery document names the issuer, the endpoints below it, and what both providers support', async () => {
  const protocol = `${idp.realmUrl}/protocol/openid-connect`;
  const containing = (...values: string[]): unknown => expect.arrayContaining(values);
  expect(await json('/.well-known/openid-configuration')).toMatchObject({
    issuer: idp.realmUrl,
    authorization_endpoint: `${protocol}/auth`,
    token_endpoint: `${protocol}/token`,
    userinfo_endpoint: `${protocol}/userinfo`,
    end_session_endpoint: `${protocol}/logout`,
    jwks_uri: `${protocol}/certs`,
    check_session_iframe: `${protocol}/login-status-iframe.html`,
    revocation_endpoint: `${protocol}/revoke`,
    introspection_endpoint: `${protocol}/token/introspect`,
    authorization_response_iss_parameter_supported: true,
    grant_types_supported: containing('authorization_code', 'client_credentials', 'password', 'refresh_token'),
    response_types_supported: containing('code'),
    response_modes_supported: containing('query', 'fragment', 'form_post'),
    id_token_signing_alg_values_supported: containing('RS256'),
    token_endpoint_auth_methods_supported: containing('client_secret_basic', 'client_secret_post'),
    scopes_supported: containing('openid', 'profile', 'email'),
    code_challenge_methods_supported: containing('S256'),
  });
});

test('an unknown realm and an unknown path are 404', async () => {
  const paths = ['/realms/unknown/.well-known/openid-configuration', `/realms/${idp.realm}/nothing`];
  expect(await Promise.all(paths.map(async (path) => (await fetch(idp.url + path)).status))).toEqual([404, 404]);
});

test('a new key signs at once, and tokens of the old key verify until it is removed', async () => {
  const before = await accessToken();
  const { body } = await passwordGrant(idp, ana.email, ana.password, { scope: 'openid' });
  const admin = await adminClient(idp);
  await idp.rotateKey('RS256');
  const after = await accessToken();
  const [first, second] = [await verified(idp, before), await verified(idp, after)];
  expect(second.header).not.toEqual(first.header);
  expect(await admin.users.count()).toBe(2);

  await idp.removeOldKeys();
  await expect(verified(idp, before)).rejects.toThrow(/no applicable key/);
  expect((await verified(idp, after)).payload.sub).toBe(ana.id);
  await expect(admin.users.count()).rejects.toMatchObject({ response: { status: 401 } });
  const refresh = { grant_type: 'refresh_token', client_id: 'profile-web', refresh_token: body['refresh_token'] ?? '' };
  expect((await requestToken(idp, refresh)).status).toBe(200);
});

test.each(['PS256', 'ES256', 'EdDSA'])('a key of the algorithm %s can sign', async (algorithm) => {
  await idp.rotateKey(algorithm);
  expect((await verified(idp, await accessToken())).header).toMatchObject({ alg: algorithm });
});

test('the published keys have no private members, and the address of the realm has one of them', async () => {
  await idp.rotateKey('RS256');
  const { keys } = (await json('/protocol/openid-connect/certs')) as { keys: JsonWebKey[] };
  const signing = keys.filter(({ use }) => use === 'sig');
  expect(signing.length).toBeGreaterThan(1);
  for (const key of signing) {
    expect(key).toMatchObject({ alg: expect.any(String), kty: expect.any(String), kid: expect.any(String) });
    for (const member of ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k']) expect(Object.keys(key)).not.toContain(member);
  }
  const published = signing.map((key) =>
    createPublicKey({ key, format: 'jwk' }).export({ type: 'spki', format: 'der' }).toString('base64'),
  );
  expect(published).toContain((await json(''))['public_key']);
});
