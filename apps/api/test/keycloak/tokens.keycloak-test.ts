import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createRealm } from '../../../../test/keycloak/create-realm.ts';
import { realmOfFile } from '../../../../test/keycloak/realm-file.ts';
import { createApi, outcome } from '../support/api.ts';
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

const as = async (user: TestUser, target: string) =>
  outcome(await world.call({ token: await passwordGrant(world.realm.url, user) }, target));

test('applications work at /service if their client is linked to a tenant, and are 403 at /api', async () => {
  const [linked, other] = [await clientCredentials(world.realm.url, 'portal-app'), await clientCredentials(world.realm.url, 'reports-app')];
  expect(outcome(await world.call({ token: linked }, 'GET /service/organizations'))).toBe(200);
  expect(outcome(await world.call({ token: other }, 'GET /service/organizations'))).toBe('CLIENT_NOT_LINKED');
  expect(outcome(await world.call({ token: linked }, 'GET /api/apps'))).toBe('USER_NOT_PROVISIONED');
});

test('with two issuers, users come from one realm and applications from the other', async () => {
  const applications = await createRealm(world.keycloak, realmOfFile());
  onTestFinished(() => applications.stop());
  const { call } = createApi((await world.another({ IDENTITY_AUTH_URL: applications.url })).url);
  const [own, foreign] = await Promise.all(
    [applications, world.realm].map(async ({ url }) => ({ token: await clientCredentials(url, 'portal-app') })),
  );
  const outcomes = [
    await call(world.global, 'GET /api/apps'),
    await call(own!, 'GET /service/organizations'),
    await call(foreign!, 'GET /service/organizations'),
    await call(own!, 'GET /api/apps'),
    await call(world.global, 'GET /service/organizations'),
  ].map(outcome);
  expect(outcomes).toEqual([200, 200, 'UNAUTHORIZED', 'UNAUTHORIZED', 'UNAUTHORIZED']);
});

test('an exception role as a client role and as a realm role gives access', async () => {
  await world.realm.admin.roles.create({ name: 'apps:read' });
  const [one, other, none] = [await viewer(), await viewer(), await viewer()];
  await addExceptionRole(world, one.subject, 'apps:read');
  await addRealmRole(world, other.subject, 'apps:read');
  const outcomes = await Promise.all([one, other, none].map((user) => as(user, 'GET /api/apps')));
  expect(outcomes).toEqual([200, 200, 'NOT_ALLOWED']);
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
});
