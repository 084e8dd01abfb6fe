import { beforeEach, expect, test } from 'vitest';
import { ana, application, service } from './realm-data.ts';
import { basic, passwordGrant, requestToken } from './requests.ts';
import { useProvider } from './start-provider.ts';

const idp = useProvider();
let tokens: Record<string, string>;
beforeEach(async () => {
  tokens = (await passwordGrant(idp, ana.email, ana.password, { scope: 'openid' })).body;
});

type Form = Record<string, string>;
const own = { client_id: 'profile-web' };
const names = { ACCESS: 'access_token', REFRESH: 'refresh_token', ID: 'id_token' };
const ended = { status: 400, body: { error: 'invalid_grant', error_description: 'Session not active' } };

/** Posts a form to an endpoint. ACCESS, REFRESH and ID stand for the tokens. Returns status and body. */
async function post(endpoint: string, form: Form, headers: Form = {}): Promise<{ status: number; body: unknown }> {
  const filled = Object.entries(form).map(
    ([name, value]) => [name, tokens[Reflect.get(names, value) as string] ?? value] as [string, string],
  );
  const init = { method: 'POST', body: new URLSearchParams(filled), headers };
  const response = await fetch(`${idp.realmUrl}/protocol/openid-connect/${endpoint}`, init);
  const text = await response.text();
  return { status: response.status, body: text === '' ? '' : JSON.parse(text) };
}
const refresh = () => requestToken(idp, { ...own, grant_type: 'refresh_token', refresh_token: tokens['refresh_token'] ?? '' });
const userinfo = (token = tokens['access_token']) =>
  fetch(`${idp.realmUrl}/protocol/openid-connect/userinfo`, { headers: { authorization: `Bearer ${token}` } });
const validity = async () => [(await userinfo()).status, (await refresh()).status];

test('the revocation of an access token keeps the session, and that of a refresh token ends it', async () => {
  expect(await post('revoke', { ...own, token: 'ACCESS' })).toEqual({ status: 200, body: '' });
  expect(await validity()).toEqual([401, 200]);
  await post('revoke', { ...own, token: 'REFRESH', token_type_hint: 'access_token' });
  expect(await refresh()).toEqual(ended);
});

test('a client in the audience of an access token sees its claims until it is revoked', async () => {
  const introspect = (token: string, client = service) => post('token/introspect', { token }, basic(client));
  const inactive = { status: 200, body: { active: false } };
  const claims = { active: true, sub: ana.id, client_id: 'profile-web', aud: 'profile-service', username: ana.email };
  expect((await introspect('ACCESS')).body).toMatchObject(claims);
  expect([await introspect('ACCESS', application), await introspect('REFRESH')]).toEqual([inactive, inactive]);
  await post('revoke', { ...own, token: 'ACCESS' });
  expect(await introspect('ACCESS')).toEqual(inactive);
});

test('a logout with a refresh token ends its session, and may be repeated', async () => {
  const form = { ...own, refresh_token: 'REFRESH' };
  expect([(await post('logout', form)).status, (await post('logout', form)).status]).toEqual([204, 204]);
  expect(await validity()).toEqual([401, 400]);
});

test.each<[endpoint: string, what: string, Form, Form, status: number]>([
  ['revoke', 'a client with a wrong secret', { token: 'ACCESS' }, basic({ ...application, secret: 'no' }), 401],
  ['revoke', 'the token of another client', { token: 'REFRESH' }, basic(service), 400],
  ['token/introspect', 'a public client', { ...own, token: 'ACCESS' }, {}, 403],
  ['logout', 'the token of another client', { refresh_token: 'REFRESH' }, basic(service), 400],
])('%s refuses %s, and the tokens stay valid', async (endpoint, _what, form, headers, status) => {
  expect((await post(endpoint, form, headers)).status).toBe(status);
  expect(await validity()).toEqual([200, 200]);
});

test('userinfo returns the user of an access token with the scope openid, and puts the error into WWW-Authenticate', async () => {
  expect(await (await userinfo()).json()).toMatchObject({ sub: ana.id, name: 'Ana Silva', email: ana.email });
  const { body } = await passwordGrant(idp, ana.email, ana.password);
  for (const [token, status, error] of [
    ['junk', 401, 'invalid_token'],
    [tokens['id_token'], 401, 'invalid_token'],
    [body['access_token'], 403, 'insufficient_scope'],
  ] as const) {
    const response = await userinfo(token);
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([status, expect.stringContaining(`error="${error}"`)]);
  }
});
