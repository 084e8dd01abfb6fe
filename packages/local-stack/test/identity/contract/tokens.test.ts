import { decodeJwt, type JWTPayload } from 'jose';
import { describe, expect, test } from 'vitest';
import { ana, bob, otherUsers, service } from './realm-data.ts';
import { basic, createLogin, passwordGrant, refreshGrant, requestToken, useAdmin, verified } from './requests.ts';
import { startProvider, useProvider } from './start-provider.ts';

const idp = useProvider();
const admin = useAdmin(idp);

/** Removes the claims that differ between tokens, and sorts roles and scopes, which have no order. */
const stableClaims = ({ iat: _iat, exp: _exp, jti: _jti, sid: _sid, ...claims }: JWTPayload): object =>
  JSON.parse(JSON.stringify(claims), (key, value: unknown) => {
    if (key === 'roles') return (value as string[]).toSorted();
    return key === 'scope' ? (value as string).split(' ').toSorted() : value;
  }) as object;

const refused = (error_description: string) => ({ status: 400, body: { error: 'invalid_grant', error_description } });

/** Keycloak counts `expires_in` from its response, the local provider from `iat`. */
const about = (seconds: number): number => expect.toSatisfy((value: number) => value > seconds - 10 && value <= seconds) as number;

describe('the client credentials grant', () => {
  test('issues the claims of a service account, signed with a key of the discovery document', async () => {
    const { status, body } = await requestToken(idp, { grant_type: 'client_credentials' }, basic(service));
    const { payload, header } = await verified(idp, body['access_token']);
    expect(status).toBe(200);
    expect(header).toEqual({ alg: 'RS256', typ: 'JWT', kid: expect.any(String) });
    expect(payload).not.toHaveProperty('sid');
    expect(stableClaims(payload)).toEqual({
      iss: idp.realmUrl,
      aud: 'realm-management',
      sub: expect.stringMatching(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
      typ: 'Bearer',
      azp: 'profile-service',
      acr: '1',
      'allowed-origins': ['http://localhost:3000'],
      resource_access: { 'realm-management': { roles: ['manage-users', 'query-groups', 'query-users', 'view-users'] } },
      scope: ['email', 'profile'],
      email_verified: false,
      preferred_username: 'service-account-profile-service',
    });
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(300);
    expect(body).toMatchObject({ expires_in: about(300), refresh_expires_in: 0, token_type: 'Bearer', scope: payload['scope'] });
    expect(body).not.toHaveProperty('refresh_token');
  });

  test.each([
    ['a wrong secret', { client_id: 'app-a', client_secret: 'no' }, 'unauthorized_client'],
    ['an unknown client', { client_id: 'nobody', client_secret: 'no' }, 'invalid_client'],
    ['a public client', { client_id: 'profile-web' }, 'unauthorized_client'],
  ])('responds with 401 to %s', async (_case, credentials, error) => {
    expect(await requestToken(idp, { grant_type: 'client_credentials', ...credentials })).toMatchObject({ status: 401, body: { error } });
  });
});

describe('the password grant', () => {
  test('issues the claims of a user with roles', async () => {
    const { status, body } = await passwordGrant(idp, ana.email.toUpperCase(), ana.password, { scope: 'openid' });
    const { payload } = await verified(idp, body['access_token']);
    expect(status).toBe(200);
    expect(stableClaims(payload)).toEqual({
      iss: idp.realmUrl,
      aud: 'profile-service',
      sub: ana.id,
      typ: 'Bearer',
      azp: 'profile-web',
      acr: '1',
      'allowed-origins': ['http://localhost:*'],
      realm_access: { roles: ['super_admin'] },
      resource_access: { 'profile-service': { roles: ['users:read'] } },
      scope: ['email', 'openid', 'profile'],
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

  test('issues neither aud nor access claims to a user without roles', async () => {
    const { body } = await passwordGrant(idp, bob.email, bob.password);
    const claims = stableClaims(decodeJwt(body['access_token'] ?? ''));
    expect(claims).toMatchObject({ sub: bob.id, scope: ['email', 'profile'] });
    for (const name of ['aud', 'realm_access', 'resource_access']) expect(claims).not.toHaveProperty(name);
    expect(body).not.toHaveProperty('id_token');
  });

  test("issues the realm's default roles to a user created through the admin API", async () => {
    const { email, password } = await createLogin(admin);
    const { body } = await passwordGrant(idp, email, password);
    expect(stableClaims(decodeJwt(body['access_token'] ?? ''))).toMatchObject({
      aud: 'account',
      realm_access: { roles: [`default-roles-${idp.realm}`, 'offline_access', 'uma_authorization'] },
    });
  });

  test('refuses an unknown user as it refuses a wrong password', async () => {
    for (const username of [ana.email, 'zoe@example.com'])
      expect(await passwordGrant(idp, username, 'no')).toEqual(refused('Invalid user credentials'));
  });

  test.each([
    ['a disabled user', { enabled: false }, 'Account disabled'],
    ['a user with required actions', { requiredActions: ['VERIFY_EMAIL'] }, 'Account is not fully set up'],
    ['a user without a first name', { firstName: '' }, 'Account is not fully set up'],
  ])('refuses %s, and says why only after the correct password', async (_case, fields, description) => {
    const { email, password } = await createLogin(admin, fields);
    expect(await passwordGrant(idp, email, password)).toEqual(refused(description));
    expect(await passwordGrant(idp, email, 'wrong')).toEqual(refused('Invalid user credentials'));
  });
});

describe('the refresh token grant', () => {
  const refresh = (refreshToken?: string) => refreshGrant(idp, refreshToken);

  test('issues new tokens of the same session, more than once', async () => {
    const { body: first } = await passwordGrant(idp, ana.email, ana.password, { scope: 'openid' });
    const before = decodeJwt(first['access_token'] ?? '');
    for (const { status, body } of [await refresh(first['refresh_token']), await refresh(first['refresh_token'])]) {
      const { payload } = await verified(idp, body['access_token']);
      expect(status).toBe(200);
      expect({ ...stableClaims(payload), sid: payload['sid'] }).toEqual({ ...stableClaims(before), sid: before['sid'] });
    }
  });

  test('refuses invalid tokens, tokens of another client, and tokens of a disabled user', async () => {
    const { id, email, password } = await createLogin(admin);
    const { body } = await passwordGrant(idp, email, password);
    for (const invalid of ['junk', body['access_token']]) expect(await refresh(invalid)).toEqual(refused('Invalid refresh token'));
    const grant = { grant_type: 'refresh_token', refresh_token: body['refresh_token'] ?? '' };
    expect(await requestToken(idp, grant, basic(service))).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    await admin.users.update({ id }, { enabled: false });
    expect(await refresh(body['refresh_token'])).toEqual(refused('User disabled'));
  });
});

test('userinfo needs an access token with the scope openid, and puts the error into WWW-Authenticate', async () => {
  const { body } = await passwordGrant(idp, ana.email, ana.password);
  for (const [token, status, error] of [
    ['junk', 401, 'invalid_token'],
    [body['access_token'], 403, 'insufficient_scope'],
  ] as const) {
    const headers = { authorization: `Bearer ${token}` };
    const response = await fetch(`${idp.realmUrl}/protocol/openid-connect/userinfo`, { headers });
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([status, expect.stringContaining(`error="${error}"`)]);
  }
});

test('accessTokenLifespan sets the lifespan of access tokens', async () => {
  const other = await startProvider({ accessTokenLifespan: 3600, users: otherUsers });
  const { body } = await passwordGrant(other, ana.email, ana.password);
  await other.stop();
  const { exp = 0, iat = 0 } = decodeJwt(body['access_token'] ?? '');
  expect([exp - iat, body['expires_in']]).toEqual([3600, about(3600)]);
});
