import { decodeJwt, type JWTPayload } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { IdentityProvider } from '../src/identity/provider.ts';
import { adminClient, ana, application, bob, passwordGrant, requestToken, service, startRealm, verified } from './identity-realm.ts';

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
let idp: IdentityProvider;

beforeAll(async () => {
  idp = await startRealm();
});
afterAll(() => idp.stop());

/** Everything but what differs with each token. */
function lasting({ iat, exp, jti, sid, ...claims }: JWTPayload): object {
  return claims;
}

const basic = ({ clientId, secret }: typeof service): Record<string, string> => ({
  authorization: `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`,
});

describe('client credentials', () => {
  test('give exactly the claims of an imported service account, by the keys that discovery names', async () => {
    const { status, body } = await requestToken(idp, { grant_type: 'client_credentials' }, basic(service));
    const { payload, header } = await verified(idp, body['access_token']);
    expect(status).toBe(200);
    expect(header).toEqual({ alg: 'RS256', typ: 'JWT', kid: expect.any(String) });
    expect(lasting(payload)).toEqual({
      iss: idp.realmUrl,
      aud: 'realm-management',
      sub: expect.stringMatching(uuid),
      typ: 'Bearer',
      azp: 'profile-service',
      acr: '1',
      'allowed-origins': ['http://localhost:3000'],
      resource_access: { 'realm-management': { roles: ['view-users', 'manage-users', 'query-groups', 'query-users'] } },
      scope: 'profile email',
      email_verified: false,
      preferred_username: 'service-account-profile-service',
      client_id: 'profile-service',
    });
    expect(payload).not.toHaveProperty('sid');
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(300);
    expect(body).toMatchObject({ expires_in: 300, refresh_expires_in: 0, token_type: 'Bearer', scope: 'profile email' });
    expect(body).not.toHaveProperty('refresh_token');
  });

  test('without roles give neither aud nor access claims, and the same sub each time', async () => {
    const ask = () =>
      requestToken(idp, { grant_type: 'client_credentials', client_id: application.clientId, client_secret: application.secret });
    const [first, second] = [await ask(), await ask()].map(({ body }) => decodeJwt(body['access_token'] ?? ''));
    expect(first?.sub).toBe(second?.sub);
    expect(first?.jti).not.toBe(second?.jti);
    expect(Object.keys(first ?? {})).not.toEqual(expect.arrayContaining(['aud']));
    expect(first).not.toHaveProperty('realm_access');
    expect(first).not.toHaveProperty('resource_access');
  });

  test.each([
    [
      'a wrong secret',
      { client_id: 'app-a', client_secret: 'no' },
      401,
      'unauthorized_client',
      'Invalid client or Invalid client credentials',
    ],
    [
      'an unknown client',
      { client_id: 'nobody', client_secret: 'no' },
      401,
      'invalid_client',
      'Invalid client or Invalid client credentials',
    ],
    ['no client', {}, 401, 'invalid_client', 'Invalid client or Invalid client credentials'],
    ['a public client', { client_id: 'profile-web' }, 401, 'unauthorized_client', 'Public client not allowed to retrieve service account'],
  ])('refuse %s', async (_case, credentials, status, error, description) => {
    const answer = await requestToken(idp, { grant_type: 'client_credentials', ...credentials } as Record<string, string>);
    expect(answer).toEqual({ status, body: { error, error_description: description } });
  });
});

describe('the password grant', () => {
  test('gives exactly the claims of a person with roles', async () => {
    const { status, body } = await passwordGrant(idp, ana.email.toUpperCase(), ana.password, { scope: 'openid' });
    const { payload } = await verified(idp, body['access_token']);
    expect(status).toBe(200);
    expect(lasting(payload)).toEqual({
      iss: idp.realmUrl,
      aud: 'profile-service',
      sub: ana.id,
      typ: 'Bearer',
      azp: 'profile-web',
      acr: '1',
      'allowed-origins': ['http://localhost:*'],
      realm_access: { roles: ['super_admin'] },
      resource_access: { 'profile-service': { roles: ['users:read'] } },
      scope: 'openid profile email',
      email_verified: true,
      name: 'Ana Silva',
      preferred_username: 'ana@example.com',
      given_name: 'Ana',
      family_name: 'Silva',
      email: 'ana@example.com',
    });
    expect(payload['sid']).toBe(body['session_state']);
    const { payload: id } = await verified(idp, body['id_token']);
    expect(id).toMatchObject({ typ: 'ID', aud: 'profile-web', azp: 'profile-web', sub: ana.id, sid: payload['sid'], email: ana.email });
  });

  test('gives a person without roles no aud and no access claims', async () => {
    const { body } = await passwordGrant(idp, bob.email, bob.password);
    const claims = decodeJwt(body['access_token'] ?? '');
    expect(Object.keys(claims).toSorted()).toEqual(
      [
        'acr',
        'allowed-origins',
        'azp',
        'email',
        'email_verified',
        'exp',
        'family_name',
        'given_name',
        'iat',
        'iss',
        'jti',
        'name',
        'preferred_username',
      ]
        .concat(['scope', 'sid', 'sub', 'typ'])
        .toSorted(),
    );
    expect(body).not.toHaveProperty('id_token');
  });

  test('names the client itself in resource_access but not in aud', async () => {
    const own = await startRealm({ clients: [{ ...service, directAccessGrants: true }] });
    const { body } = await requestToken(own, { grant_type: 'password', username: ana.email, password: ana.password }, basic(service));
    const claims = decodeJwt(body['access_token'] ?? '');
    await own.stop();
    expect(claims).toMatchObject({ azp: 'profile-service', resource_access: { 'profile-service': { roles: ['users:read'] } } });
    expect(claims).not.toHaveProperty('aud');
  });

  test('gives those created through the admin API the realm’s default roles', async () => {
    const admin = await adminClient(idp);
    const credentials = [{ type: 'password', value: 'secret' }];
    await admin.users.create({ email: 'eva@example.com', firstName: 'Eva', lastName: 'Reis', enabled: true, credentials });
    const { body } = await passwordGrant(idp, 'eva@example.com', 'secret');
    expect(decodeJwt(body['access_token'] ?? '')).toMatchObject({
      aud: 'account',
      realm_access: { roles: ['default-roles-profile', 'offline_access', 'uma_authorization'] },
    });
  });

  test.each([
    ['a wrong password', { username: ana.email, password: 'no' }, 400, 'invalid_grant', 'Invalid user credentials'],
    ['an unknown person', { username: 'zoe@example.com', password: 'no' }, 400, 'invalid_grant', 'Invalid user credentials'],
    ['no password', { username: ana.email }, 400, 'invalid_grant', 'Invalid user credentials'],
    ['no username', { password: 'no' }, 401, 'invalid_request', 'Missing parameter: username'],
  ])('refuses %s', async (_case, login, status, error, description) => {
    const answer = await requestToken(idp, { grant_type: 'password', client_id: 'profile-web', ...login } as Record<string, string>);
    expect(answer).toEqual({ status, body: { error, error_description: description } });
  });

  test.each([
    ['who is disabled', { enabled: false }, 'Account disabled'],
    ['who has something to do first', { requiredActions: ['VERIFY_EMAIL'] }, 'Account is not fully set up'],
    ['whose name is missing', { firstName: '' }, 'Account is not fully set up'],
  ])('refuses a person %s', async (_case, special, description) => {
    const admin = await adminClient(idp);
    const email = `${crypto.randomUUID()}@example.com`;
    const credentials = [{ type: 'password', value: 'secret' }];
    await admin.users.create({ email, firstName: 'Rui', lastName: 'Dias', enabled: true, credentials, ...special });
    expect((await passwordGrant(idp, email, 'secret')).body).toEqual({ error: 'invalid_grant', error_description: description });
    expect((await passwordGrant(idp, email, 'wrong')).body['error_description']).toBe('Invalid user credentials');
  });

  test('is closed to clients that were not opened to it', async () => {
    const answer = await requestToken(idp, { grant_type: 'password', username: ana.email, password: ana.password }, basic(application));
    expect(answer.body).toEqual({ error: 'unauthorized_client', error_description: 'Client not allowed for direct access grants' });
  });
});

describe('a refresh token', () => {
  const refresh = (token: string | undefined, client = 'profile-web') =>
    requestToken(idp, { grant_type: 'refresh_token', client_id: client, refresh_token: token ?? '' });

  test('gives new tokens of the same session, and can be used again', async () => {
    const { body: first } = await passwordGrant(idp, ana.email, ana.password, { scope: 'openid' });
    const answers = [await refresh(first['refresh_token']), await refresh(first['refresh_token'])];
    const before = decodeJwt(first['access_token'] ?? '');
    for (const { status, body } of answers) {
      const { payload } = await verified(idp, body['access_token']);
      expect(status).toBe(200);
      expect({ ...lasting(payload), sid: payload['sid'] }).toEqual({ ...lasting(before), sid: before['sid'] });
      expect(payload.jti).toMatch(/^onrtrt:/);
      expect(decodeJwt(body['refresh_token'] ?? '')).toMatchObject({ typ: 'Refresh', azp: 'profile-web', sid: before['sid'] });
    }
  });

  test('is refused when it is none, another client’s, or of somebody who is gone', async () => {
    const admin = await adminClient(idp);
    const credentials = [{ type: 'password', value: 'secret' }];
    const { id } = await admin.users.create({ email: 'gone@example.com', firstName: 'Gil', lastName: 'Sá', enabled: true, credentials });
    const { body } = await passwordGrant(idp, 'gone@example.com', 'secret');
    const others = await requestToken(idp, { grant_type: 'refresh_token', refresh_token: body['refresh_token'] ?? '' }, basic(service));
    await admin.users.update({ id }, { enabled: false });
    const disabled = await refresh(body['refresh_token']);
    await admin.users.del({ id });
    expect(disabled.status).toBe(400);
    expect(others.body['error_description']).toBe("Invalid refresh token. Token client and authorized client don't match");
    expect(await refresh('junk')).toEqual({ status: 400, body: { error: 'invalid_grant', error_description: 'Invalid refresh token' } });
    expect(await refresh(body['refresh_token'])).toEqual({
      status: 400,
      body: { error: 'invalid_grant', error_description: 'Session not active' },
    });
  });
});

test('userinfo tells the person behind an access token with the scope openid', async () => {
  const userinfo = (token: string | undefined) =>
    fetch(`${idp.realmUrl}/protocol/openid-connect/userinfo`, { headers: { authorization: `Bearer ${token}` } });
  const withScope = await passwordGrant(idp, ana.email, ana.password, { scope: 'openid' });
  const without = await passwordGrant(idp, ana.email, ana.password);
  expect(await (await userinfo(withScope.body['access_token'])).json()).toEqual({
    sub: ana.id,
    email_verified: true,
    name: 'Ana Silva',
    preferred_username: 'ana@example.com',
    given_name: 'Ana',
    family_name: 'Silva',
    email: 'ana@example.com',
  });
  expect((await userinfo(without.body['access_token'])).status).toBe(403);
  expect((await userinfo('junk')).status).toBe(401);
});

test('sign lays any claims and header over the defaults', async () => {
  const claims = { sub: bob.id, azp: 'app-a', authorization: { permissions: [{ rsid: 'r', rsname: 'resource:users', scopes: ['read'] }] } };
  const plain = await verified(idp, await idp.sign(claims));
  expect(plain.payload).toEqual({ iss: idp.realmUrl, iat: expect.any(Number), exp: expect.any(Number), typ: 'Bearer', ...claims });
  expect((plain.payload.exp ?? 0) - (plain.payload.iat ?? 0)).toBe(300);

  const special = await verified(idp, await idp.sign({ typ: undefined, nbf: 1 }, { header: { typ: 'at+jwt' }, expiresIn: 3600 }));
  expect(special.header).toMatchObject({ typ: 'at+jwt', alg: 'RS256' });
  expect(special.payload).toEqual({ iss: idp.realmUrl, iat: expect.any(Number), exp: (special.payload.iat ?? 0) + 3600, nbf: 1 });

  await expect(verified(idp, await idp.sign({ iss: 'https://elsewhere.example' }))).rejects.toThrow(/iss/);
  await expect(verified(idp, await idp.sign({}, { expiresIn: -60 }))).rejects.toThrow(/exp/);
});

test('the lifetime of access tokens can be set', async () => {
  const other = await startRealm({ accessTokenLifespan: 3600 });
  const { body } = await passwordGrant(other, ana.email, ana.password);
  await other.stop();
  const { exp = 0, iat = 0 } = decodeJwt(body['access_token'] ?? '');
  expect([exp - iat, body['expires_in']]).toEqual([3600, 3600]);
});

test('web pages of localhost and of the client’s origins may ask for tokens, others may not', async () => {
  const ask = (origin: string) =>
    fetch(`${idp.realmUrl}/protocol/openid-connect/token`, {
      method: 'POST',
      headers: { origin },
      body: new URLSearchParams({ grant_type: 'password', client_id: 'profile-web', username: ana.email, password: ana.password }),
    });
  const [near, far] = [await ask('http://localhost:5173'), await ask('https://evil.example')];
  expect([near.status, near.headers.get('access-control-allow-origin')]).toEqual([200, 'http://localhost:5173']);
  expect([far.status, far.headers.get('access-control-allow-origin')]).toEqual([403, null]);
  const keys = await fetch(`${idp.realmUrl}/protocol/openid-connect/certs`, { headers: { origin: 'http://localhost:5173' } });
  expect(keys.headers.get('access-control-allow-origin')).toBe('http://localhost:5173');
});
