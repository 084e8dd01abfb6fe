import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ana, application, service } from './realm-data.ts';
import { passwordGrant, requestToken } from './requests.ts';
import { startProvider } from './start-provider.ts';
import type { TestedProvider } from './tested-provider.ts';

let idp: TestedProvider;
let tokens: Record<string, string>;
beforeAll(async () => {
  idp = await startProvider();
});
beforeEach(async () => {
  tokens = (await passwordGrant(idp, ana.email, ana.password, { scope: 'openid' })).body;
});
afterAll(() => idp.stop());

type Form = Record<string, string>;
const basic = ({ clientId, secret }: typeof service) => ({ authorization: `Basic ${btoa(`${clientId}:${secret}`)}` });

/** Posts a form to an endpoint. ACCESS, REFRESH and ID stand for the tokens. Returns status and body. */
async function post(endpoint: string, form: Form, headers: Form = {}): Promise<{ status: number; body: unknown }> {
  const token = { ACCESS: 'access_token', REFRESH: 'refresh_token', ID: 'id_token' }[form['token'] ?? ''];
  const body = new URLSearchParams(token === undefined ? form : { ...form, token: tokens[token] ?? '' });
  const response = await fetch(`${idp.realmUrl}/protocol/openid-connect/${endpoint}`, { method: 'POST', body, headers });
  const text = await response.text();
  return { status: response.status, body: text === '' ? '' : JSON.parse(text) };
}
const error = (status: number, code: string, description: string) => ({ status, body: { error: code, error_description: description } });
const refresh = () =>
  requestToken(idp, { grant_type: 'refresh_token', client_id: 'profile-web', refresh_token: tokens['refresh_token'] ?? '' });
async function userinfo(token = tokens['access_token']): Promise<[number, string | null, string]> {
  const headers: Form = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const response = await fetch(`${idp.realmUrl}/protocol/openid-connect/userinfo`, { headers });
  return [
    response.status,
    response.headers.get('www-authenticate')?.replace(`realm="${idp.realm}"`, 'REALM') ?? null,
    await response.text(),
  ];
}
const refused = (description: string) => [401, `Bearer REALM, error="invalid_token", error_description="${description}"`, ''];
const badCredentials = 'Invalid client or Invalid client credentials';

describe('the revocation endpoint', () => {
  const own = { client_id: 'profile-web' };

  test('makes an access token invalid, and keeps the session', async () => {
    expect(await post('revoke', { ...own, token: 'ACCESS', token_type_hint: 'access_token' })).toEqual({ status: 200, body: '' });
    expect(await userinfo()).toEqual(refused('Token verification failed'));
    expect((await refresh()).status).toBe(200);
  });

  test.each(['refresh_token', 'access_token', 'unknown'])('ends the session of a refresh token with the hint %s', async (hint) => {
    expect(await post('revoke', { ...own, token: 'REFRESH', token_type_hint: hint })).toEqual({ status: 200, body: '' });
    expect(await refresh()).toEqual(error(400, 'invalid_grant', 'Session not active'));
    expect(await userinfo()).toEqual(refused('user_session_not_found'));
    expect(await post('revoke', { ...own, token: 'REFRESH' })).toEqual(error(200, 'invalid_token', 'Invalid token'));
  });

  test.each([
    ['no token', own, {}, error(400, 'invalid_request', 'Token not provided')],
    ['junk', { ...own, token: 'junk' }, {}, error(200, 'invalid_token', 'Invalid token')],
    ['an ID token', { ...own, token: 'ID' }, {}, error(400, 'unsupported_token_type', 'Unsupported token type')],
    ['no client', { token: 'ACCESS' }, {}, error(401, 'invalid_client', badCredentials)],
    ['a wrong secret', { token: 'ACCESS' }, basic({ ...application, secret: 'no' }), error(401, 'unauthorized_client', badCredentials)],
    [
      'the access token of another client',
      { client_id: 'frontend', token: 'ACCESS' },
      {},
      error(400, 'invalid_request', 'Unmatching clients'),
    ],
    ['the refresh token of another client', { token: 'REFRESH' }, basic(service), error(400, 'invalid_request', 'Unmatching clients')],
  ])('refuses %s, and the tokens stay valid', async (_case, form, headers, expected) => {
    expect(await post('revoke', form as Form, headers as Form)).toEqual(expected);
    expect([(await userinfo())[0], (await refresh()).status]).toEqual([200, 200]);
  });

  test.each(['revoke', 'token/introspect', 'token'])('responds to GET %s with 405', async (name) => {
    const response = await fetch(`${idp.realmUrl}/protocol/openid-connect/${name}`);
    expect([response.status, await response.json()]).toEqual([405, { error: 'HTTP 405 Method Not Allowed' }]);
  });
});

describe('the introspection endpoint', () => {
  const introspect = (token: string, client = service) => post('token/introspect', { token }, basic(client));

  test('shows the claims of an access token to a client in its audience', async () => {
    const { status, body } = await introspect('ACCESS');
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({ active: true, sub: ana.id, client_id: 'profile-web', token_type: 'Bearer' }),
    ]);
    expect(body).toMatchObject({ aud: 'profile-service', username: ana.email, exp: expect.any(Number) });
  });

  test.each([
    ['another client', 'ACCESS', application],
    ['a refresh token', 'REFRESH', service],
    ['junk', 'junk', service],
  ])('says that a token is not active for %s', async (_case, token, client) => {
    expect(await introspect(token, client)).toEqual({ status: 200, body: { active: false } });
  });

  test('says that a token is not active when it is revoked', async () => {
    await post('revoke', { client_id: 'profile-web', token: 'ACCESS' });
    expect(await introspect('ACCESS')).toEqual({ status: 200, body: { active: false } });
  });

  test.each([
    ['no client', { token: 'ACCESS' }, {}, error(401, 'invalid_client', badCredentials)],
    [
      'a wrong secret',
      { token: 'ACCESS' },
      basic({ ...service, secret: 'no' }),
      error(401, 'invalid_client', 'Client authentication failed.'),
    ],
    ['a public client', { token: 'ACCESS', client_id: 'profile-web' }, {}, error(403, 'invalid_request', 'Client not allowed.')],
    ['no token', {}, basic(service), error(400, 'invalid_request', 'Token not provided.')],
  ])('refuses %s', async (_case, form, headers, expected) => {
    expect(await post('token/introspect', form as Form, headers as Form)).toEqual(expected);
  });
});

describe('the userinfo endpoint', () => {
  test('puts the error into WWW-Authenticate', async () => {
    expect(await userinfo('')).toEqual([401, 'Bearer REALM', '']);
    expect(await userinfo('junk')).toEqual(refused('Token verification failed'));
    expect(await userinfo(tokens['id_token'])).toEqual(refused('Token verification failed'));
  });

  test('refuses a token without the scope openid', async () => {
    const { body } = await passwordGrant(idp, ana.email, ana.password);
    const challenge = 'Bearer REALM, error="insufficient_scope", error_description="Missing openid scope"';
    expect(await userinfo(body['access_token'])).toEqual([403, challenge, '']);
  });
});

describe('the scope of a refresh', () => {
  const withScope = async (scope: string, { refresh_token = '' } = tokens) => {
    const { status, body } = await requestToken(idp, { grant_type: 'refresh_token', client_id: 'profile-web', refresh_token, scope });
    return [status, body['scope']?.split(' ').toSorted().join(' ') ?? body['error_description'], 'id_token' in body];
  };

  test.each([
    ['openid', [200, 'email openid profile', true]],
    ['openid profile email', [200, 'email openid profile', true]],
    ['openid offline_access', [200, 'email openid profile', true]],
    ['profile', [200, 'email profile', true]],
    ['nonsense', [400, 'Invalid scopes: nonsense', false]],
  ])('responds to the scope %s as Keycloak does', async (scope, expected) => {
    expect(await withScope(scope)).toEqual(expected);
  });

  test('never adds openid', async () => {
    const { body } = await passwordGrant(idp, ana.email, ana.password);
    expect(await withScope('openid', body as { refresh_token: string })).toEqual([200, 'email profile', false]);
  });
});
