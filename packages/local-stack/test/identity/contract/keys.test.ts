import type { JsonWebKey } from 'node:crypto';
import { expect, test } from 'vitest';
import { ana } from './realm-data.ts';
import { adminClient, passwordGrant, refreshGrant, verified } from './requests.ts';
import { useProvider } from './start-provider.ts';

const idp = useProvider();
const json = async (path: string) => (await (await fetch(idp.realmUrl + path)).json()) as Record<string, unknown>;
const accessToken = async () => (await passwordGrant(idp, ana.email, ana.password)).body['access_token'] ?? '';

test('the discovery document names the issuer and the endpoints below it; that of an unknown realm is 404', async () => {
  const protocol = `${idp.realmUrl}/protocol/openid-connect`;
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
  });
  expect((await fetch(`${idp.url}/realms/unknown/.well-known/openid-configuration`)).status).toBe(404);
});

test('a new key signs at once, and tokens of the old key verify until it is removed', async () => {
  const { body } = await passwordGrant(idp, ana.email, ana.password, { scope: 'openid' });
  const before = body['access_token'] ?? '';
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
  expect((await refreshGrant(idp, body['refresh_token'])).status).toBe(200);
});

test('keys of other algorithms can sign, and the published keys have no private members', async () => {
  for (const algorithm of ['PS256', 'ES256', 'EdDSA']) {
    await idp.rotateKey(algorithm);
    expect((await verified(idp, await accessToken())).header).toMatchObject({ alg: algorithm });
  }
  const { keys } = (await json('/protocol/openid-connect/certs')) as { keys: JsonWebKey[] };
  const signing = keys.filter(({ use }) => use === 'sig');
  expect(signing.length).toBeGreaterThan(3);
  for (const key of signing) {
    expect(key).toMatchObject({ alg: expect.any(String), kty: expect.any(String), kid: expect.any(String) });
    for (const member of ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k']) expect(Object.keys(key)).not.toContain(member);
  }
});
