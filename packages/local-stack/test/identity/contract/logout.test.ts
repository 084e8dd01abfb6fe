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

/** Posts a form to the logout endpoint. */
const post = (form: Record<string, string>, headers: Record<string, string> = {}) =>
  fetch(`${idp.realmUrl}/protocol/openid-connect/logout`, { method: 'POST', body: new URLSearchParams(form), headers, redirect: 'manual' });

const ownClient = { client_id: 'profile-web' };
const refresh = async () =>
  (await requestToken(idp, { ...ownClient, grant_type: 'refresh_token', refresh_token: tokens['refresh_token'] ?? '' })).body;
const userinfo = async () =>
  (await fetch(`${idp.realmUrl}/protocol/openid-connect/userinfo`, { headers: { authorization: `Bearer ${tokens['access_token']}` } }))
    .status;
const ended = { error: 'invalid_grant', error_description: 'Session not active' };

describe('a posted refresh token', () => {
  test('ends the session and its tokens, and may be posted again', async () => {
    const form = { ...ownClient, refresh_token: tokens['refresh_token'] ?? '' };
    expect(await userinfo()).toBe(200);
    expect([(await post(form)).status, (await post(form)).status]).toEqual([204, 204]);
    expect([await refresh(), await userinfo()]).toEqual([ended, 401]);
  });

  const invalid = { error: 'invalid_grant', error_description: 'Invalid refresh token' };
  const mismatch = { error: 'invalid_grant', error_description: "Invalid refresh token. Token client and authorized client don't match" };
  const badCredentials = 'Invalid client or Invalid client credentials';
  const unknownClient = { error: 'invalid_client', error_description: badCredentials };
  const wrongSecret = { error: 'unauthorized_client', error_description: badCredentials };
  const basic = { authorization: `Basic ${Buffer.from(`${service.clientId}:${service.secret}`).toString('base64')}` };

  test.each([
    ['that is junk', { ...ownClient, refresh_token: 'junk' }, {}, 400, invalid],
    ['that is an access token', { ...ownClient, refresh_token: 'ACCESS' }, {}, 400, invalid],
    ['without a client', { refresh_token: 'REFRESH' }, {}, 401, unknownClient],
    ['of an unknown client', { client_id: 'nobody', refresh_token: 'REFRESH' }, {}, 401, unknownClient],
    ['with a wrong secret', { client_id: application.clientId, client_secret: 'no', refresh_token: 'REFRESH' }, {}, 401, wrongSecret],
    ['without the secret', { client_id: application.clientId, refresh_token: 'REFRESH' }, {}, 401, wrongSecret],
    ['of another public client', { client_id: 'frontend', refresh_token: 'REFRESH' }, {}, 400, mismatch],
    ['of another confidential client', { refresh_token: 'REFRESH' }, basic, 400, mismatch],
    [
      'from a foreign origin',
      { ...ownClient, refresh_token: 'REFRESH' },
      { origin: 'https://evil.example' },
      403,
      { error: 'Invalid origin' },
    ],
  ])('%s is refused, and the session goes on', async (_case, form, headers, status, body) => {
    const { access_token: access = '', refresh_token: own = '' } = tokens;
    const refresh_token = form.refresh_token.replace('ACCESS', access).replace('REFRESH', own);
    const response = await post({ ...form, refresh_token } as Record<string, string>, headers as Record<string, string>);
    expect([response.status, await response.json()]).toEqual([status, body]);
    expect(await refresh()).toHaveProperty('access_token');
  });

  test('from an origin of the client is accepted', async () => {
    const { body } = await requestToken(idp, {
      grant_type: 'password',
      client_id: 'frontend',
      username: ana.email,
      password: ana.password,
    });
    const origin = 'http://localhost:5173';
    const response = await post({ client_id: 'frontend', refresh_token: body['refresh_token'] ?? '' }, { origin });
    expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([204, origin]);
  });
});

test('a posted ID token ends the session and redirects to the application', async () => {
  const target = { post_logout_redirect_uri: 'http://localhost:5173/bye', state: 'left' };
  const response = await post({ id_token_hint: tokens['id_token'] ?? '', ...target });
  expect([response.status, response.headers.get('location')]).toEqual([302, 'http://localhost:5173/bye?state=left']);
  expect(await refresh()).toEqual(ended);
});
