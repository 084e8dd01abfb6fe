import { beforeEach, describe, expect, test } from 'vitest';
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
const badCredentials = 'Invalid client or Invalid client credentials';
const ended = { status: 400, body: { error: 'invalid_grant', error_description: 'Session not active' } };

/** Posts a form to an endpoint. ACCESS, REFRESH and ID stand for the tokens. Returns status and body. */
async function post(endpoint: string, form: Form, headers: Form = {}): Promise<{ status: number; body: unknown }> {
  const names = { ACCESS: 'access_token', REFRESH: 'refresh_token', ID: 'id_token' };
  const filled = Object.entries(form).map(
    ([name, value]) => [name, tokens[Reflect.get(names, value) as string] ?? value] as [string, string],
  );
  const init = { method: 'POST', body: new URLSearchParams(filled), headers, redirect: 'manual' } as const;
  const response = await fetch(`${idp.realmUrl}/protocol/openid-connect/${endpoint}`, init);
  const text = await response.text();
  return { status: response.status, body: response.headers.get('location') ?? (text === '' ? '' : JSON.parse(text)) };
}
const error = (status: number, code: string, description: string) => ({ status, body: { error: code, error_description: description } });
const refresh = (refreshToken = tokens['refresh_token'] ?? '', more: Form = {}) =>
  requestToken(idp, { ...own, ...more, grant_type: 'refresh_token', refresh_token: refreshToken });
async function userinfo(token = tokens['access_token']): Promise<[number, string | undefined]> {
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${idp.realmUrl}/protocol/openid-connect/userinfo`, { headers });
  return [response.status, response.headers.get('www-authenticate')?.replace(`realm="${idp.realm}"`, 'REALM')];
}
const refused = (description: string) => [401, `Bearer REALM, error="invalid_token", error_description="${description}"`];

describe('the revocation endpoint', () => {
  test('makes an access token invalid, and keeps the session', async () => {
    expect(await post('revoke', { ...own, token: 'ACCESS' })).toEqual({ status: 200, body: '' });
    expect(await userinfo()).toEqual(refused('Token verification failed'));
    expect((await refresh()).status).toBe(200);
  });

  test('ends the session of a refresh token', async () => {
    expect(await post('revoke', { ...own, token: 'REFRESH', token_type_hint: 'access_token' })).toEqual({ status: 200, body: '' });
    expect([await refresh(), await userinfo()]).toEqual([ended, refused('user_session_not_found')]);
  });

  test.each<[string, Form, Form, object]>([
    ['an ID token', { ...own, token: 'ID' }, {}, error(400, 'unsupported_token_type', 'Unsupported token type')],
    ['no client', { token: 'ACCESS' }, {}, error(401, 'invalid_client', badCredentials)],
    ['a wrong secret', { token: 'ACCESS' }, basic({ ...application, secret: 'no' }), error(401, 'unauthorized_client', badCredentials)],
    ['the token of another client', { token: 'REFRESH' }, basic(service), error(400, 'invalid_request', 'Unmatching clients')],
  ])('refuses %s, and the tokens stay valid', async (_case, form, headers, expected) => {
    expect(await post('revoke', form, headers)).toEqual(expected);
    expect([(await userinfo())[0], (await refresh()).status]).toEqual([200, 200]);
  });
});

describe('the introspection endpoint', () => {
  const introspect = (token: string, client = service) => post('token/introspect', { token }, basic(client));
  const inactive = { status: 200, body: { active: false } };

  test('shows the claims of an access token to a client in its audience, until it is revoked', async () => {
    const claims = { active: true, sub: ana.id, client_id: 'profile-web', aud: 'profile-service', username: ana.email };
    expect((await introspect('ACCESS')).body).toMatchObject(claims);
    expect([await introspect('ACCESS', application), await introspect('REFRESH')]).toEqual([inactive, inactive]);
    await post('revoke', { ...own, token: 'ACCESS' });
    expect(await introspect('ACCESS')).toEqual(inactive);
  });

  test.each<[string, Form, Form, object]>([
    ['no client', { token: 'ACCESS' }, {}, error(401, 'invalid_client', badCredentials)],
    ['a public client', { ...own, token: 'ACCESS' }, {}, error(403, 'invalid_request', 'Client not allowed.')],
  ])('refuses %s', async (_case, form, headers, expected) => {
    expect(await post('token/introspect', form, headers)).toEqual(expected);
  });
});

describe('the logout endpoint', () => {
  test('ends the session of a refresh token, which may be posted again', async () => {
    const form = { ...own, refresh_token: 'REFRESH' };
    expect([(await post('logout', form)).status, (await post('logout', form)).status]).toEqual([204, 204]);
    expect([await refresh(), (await userinfo())[0]]).toEqual([ended, 401]);
  });

  test('ends the session of an ID token and redirects to the application', async () => {
    const target = { post_logout_redirect_uri: 'http://localhost:5173/bye', state: 'left' };
    const { status, body } = await post('logout', { id_token_hint: 'ID', ...target });
    expect([status, body]).toEqual([302, 'http://localhost:5173/bye?state=left']);
    expect(await refresh()).toEqual(ended);
  });

  test.each<[string, Form, Form, number]>([
    ['an access token', { ...own, refresh_token: 'ACCESS' }, {}, 400],
    ['a wrong secret', { client_id: application.clientId, client_secret: 'no', refresh_token: 'REFRESH' }, {}, 401],
    ['the token of another client', { refresh_token: 'REFRESH' }, basic(service), 400],
  ])('refuses %s, and the session goes on', async (_case, form, headers, status) => {
    expect((await post('logout', form, headers)).status).toBe(status);
    expect((await refresh()).status).toBe(200);
  });
});

describe('the userinfo endpoint', () => {
  test('puts the error into WWW-Authenticate', async () => {
    for (const token of ['junk', tokens['id_token']]) expect(await userinfo(token)).toEqual(refused('Token verification failed'));
    const { body } = await passwordGrant(idp, ana.email, ana.password);
    const challenge = 'Bearer REALM, error="insufficient_scope", error_description="Missing openid scope"';
    expect(await userinfo(body['access_token'])).toEqual([403, challenge]);
  });
});

test('a refresh narrows the scope, and never adds openid', async () => {
  expect((await refresh(undefined, { scope: 'profile' })).body['scope']?.split(' ').toSorted()).toEqual(['email', 'profile']);
  const { body } = await passwordGrant(idp, ana.email, ana.password);
  expect((await refresh(body['refresh_token'], { scope: 'openid' })).body).not.toHaveProperty('id_token');
  expect(await refresh(undefined, { scope: 'nonsense' })).toMatchObject({
    status: 400,
    body: { error_description: 'Invalid scopes: nonsense' },
  });
});
