import { beforeAll, describe, expect, test } from 'vitest';
import { outcome } from '../support/api.ts';
import type { Permissions } from '../support/records.ts';
import { useKeycloakWorld } from './support/keycloak-world.ts';
import { addExceptionRole, addRealmRole, createTenant, createUser, type TestUser } from './support/logins.ts';
import { testClients } from './support/test-clients.ts';
import { clientCredentials, globalUser, passwordGrant, requestTokens } from './support/tokens.ts';

const world = useKeycloakWorld();
let tenant: string;
beforeAll(async () => void (tenant = await createTenant(world, 'portal-app')));

/** Creates a viewer in the tenant, who may not read apps. */
async function viewer(): Promise<TestUser> {
  const user = await createUser(world);
  await world.call(world.global, `POST /api/users/${user.id}/tenants`, { tenantId: tenant, persona: 'viewer' });
  return user;
}

const as = async (user: TestUser, target: string, client?: { clientId: string }) =>
  outcome(await world.call({ token: await passwordGrant(world.realm.url, user, client) }, target));

test('applications are 403 at /api, and users are 403 at /service', async () => {
  const token = await clientCredentials(world.realm.url, 'portal-app');
  expect((await world.call({ token }, 'GET /api/apps')).code).toBe('USER_NOT_PROVISIONED');
  expect(await as(await viewer(), 'GET /service/organizations')).toBe('CLIENT_NOT_LINKED');
});

describe('roles', () => {
  test('an exception role as a client role and as a realm role gives access', async () => {
    await world.realm.admin.roles.create({ name: 'apps:read' });
    const [one, other, none] = [await viewer(), await viewer(), await viewer()];
    await addExceptionRole(world, one.subject, 'apps:read');
    await addRealmRole(world, other.subject, 'apps:read');
    const outcomes = await Promise.all([one, other, none].map((user) => as(user, 'GET /api/apps')));
    expect(outcomes).toEqual([200, 200, 'NOT_ALLOWED']);
  });

  test('super_admin gives access to every module that is not reserved', async () => {
    const user = await viewer();
    await addRealmRole(world, user.subject, 'super_admin');
    expect([await as(user, 'GET /api/apps'), await as(user, 'GET /api/users')]).toEqual([200, 'NOT_ALLOWED']);
    const token = await passwordGrant(world.realm.url, user);
    expect((await world.call<Permissions>({ token }, 'GET /api/me/permissions')).body.isSuperAdmin).toBe(true);
  });
});

describe('a token', () => {
  test.each([
    ['a lightweight token', testClients.lightweight, 'The token has no claim "sub"'],
    ['a token of a client without the scope basic', testClients.withoutBasic, 'The token has no claim "sub"'],
    ['a token of a client without an audience mapper', testClients.withoutAudience, 'The token has no claim "aud"'],
    ['a token for another audience', testClients.foreign, 'The token\'s claim "aud" is not accepted'],
  ])('%s is 401 with the reason', async (_kind, client, detail) => {
    const token = await passwordGrant(world.realm.url, globalUser, client);
    const { status, body } = await world.call<{ detail: string }>({ token }, 'GET /api/apps');
    expect([status, body.detail]).toEqual([401, detail]);
  });

  test('an ID token and a refresh token are 401', async () => {
    const { email: username, password } = globalUser;
    const grant = { grant_type: 'password', client_id: testClients.usual.clientId, username, password, scope: 'openid' };
    const { id_token: id, refresh_token: refresh } = await requestTokens(world.realm.url, grant);
    for (const token of [id, refresh]) expect((await world.call({ token: token ?? '' }, 'GET /api/apps')).status).toBe(401);
  });

  test('of a user who was disabled is valid until it expires, and Keycloak issues no new one', async () => {
    const user = await viewer();
    const token = await passwordGrant(world.realm.url, user);
    await world.realm.admin.users.update({ id: user.subject }, { enabled: false });
    expect((await world.call({ token }, 'GET /api/me/tenants')).status).toBe(200);
    await expect(passwordGrant(world.realm.url, user)).rejects.toThrow('Account disabled');
  });
});
