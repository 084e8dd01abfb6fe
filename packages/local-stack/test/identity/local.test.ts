import { expect, test } from 'vitest';
import { bob } from './contract/realm-data.ts';
import { passwordGrant, requestToken, verified } from './contract/requests.ts';
import { startLocalProvider } from './local-provider.ts';

test('sign overrides the default claims and header with the given ones', async () => {
  const idp = await startLocalProvider();
  const claims = { sub: bob.id, azp: 'app-a', authorization: { permissions: [{ rsid: 'r', rsname: 'resource:users', scopes: ['read'] }] } };
  const plain = await verified(idp, await idp.sign(claims));
  expect(plain.payload).toEqual({ iss: idp.realmUrl, iat: expect.any(Number), exp: expect.any(Number), typ: 'Bearer', ...claims });
  expect((plain.payload.exp ?? 0) - (plain.payload.iat ?? 0)).toBe(300);

  const special = await verified(idp, await idp.sign({ typ: undefined, nbf: 1 }, { header: { typ: 'at+jwt' }, expiresIn: 3600 }));
  expect(special.header).toMatchObject({ typ: 'at+jwt', alg: 'RS256' });
  expect(special.payload).toEqual({ iss: idp.realmUrl, iat: expect.any(Number), exp: (special.payload.iat ?? 0) + 3600, nbf: 1 });
  await expect(verified(idp, await idp.sign({}, { expiresIn: -60 }))).rejects.toThrow(/exp/);
  await idp.stop();
});

test('logout accepts an expired ID token', async () => {
  const idp = await startLocalProvider();
  const { body } = await passwordGrant(idp, bob.email, bob.password, { scope: 'openid' });
  const expired = await idp.sign({ typ: 'ID', azp: 'profile-web', sid: body['session_state'] }, { expiresIn: -3600 });
  const page = await fetch(`${idp.realmUrl}/protocol/openid-connect/logout?id_token_hint=${expired}`);
  expect(await page.text()).toContain('You are logged out');
  const refresh = { grant_type: 'refresh_token', client_id: 'profile-web', refresh_token: body['refresh_token'] ?? '' };
  expect((await requestToken(idp, refresh)).status).toBe(400);
  await idp.stop();
});

test.each(['revoke', 'token/introspect'])('%s responds with 401 to client credentials with an invalid percent-encoding', async (name) => {
  const idp = await startLocalProvider();
  const response = await fetch(`${idp.realmUrl}/protocol/openid-connect/${name}`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa('a%zz:b')}` },
    body: new URLSearchParams({ token: 'any' }),
  });
  expect([response.status, await response.json()]).toMatchObject([401, { error: 'invalid_client' }]);
  await idp.stop();
});

test('CORS allows any port of localhost', async () => {
  const idp = await startLocalProvider();
  const form = new URLSearchParams({ grant_type: 'password', client_id: 'profile-web', username: bob.email, password: bob.password });
  const headers = { origin: 'http://localhost:4711' };
  const response = await fetch(`${idp.realmUrl}/protocol/openid-connect/token`, { method: 'POST', headers, body: form });
  expect(response.headers.get('access-control-allow-origin')).toBe('http://localhost:4711');
  await idp.stop();
});
