import type KeycloakAdminClient from '@keycloak/keycloak-admin-client';
import { beforeAll, expect, test } from 'vitest';
import { ana, application, manager, service, viewer } from './realm-data.ts';
import { adminClient, errorOf, newUser, passwordGrant } from './requests.ts';
import { useProvider } from './start-provider.ts';

const idp = useProvider();
let clients: Record<'service' | 'viewer' | 'manager' | 'application', KeycloakAdminClient>;

beforeAll(async () => {
  const [one, two, three, four] = await Promise.all([service, viewer, manager, application].map((client) => adminClient(idp, client)));
  clients = { service: one!, viewer: two!, manager: three!, application: four! };
});

const forbidden = { status: 403, data: { error: 'HTTP 403 Forbidden' } };
const mail = (client: KeycloakAdminClient, id: string) => client.users.executeActionsEmail({ id, actions: ['UPDATE_PASSWORD'] });

/** Sends a request below `/users`. Returns status and body. */
async function ask(token: string | undefined, method = 'GET', path = '', body?: string): Promise<[number, unknown]> {
  const authorization = token === undefined ? undefined : { authorization: `Bearer ${token}` };
  const init = { method, headers: { 'content-type': 'application/json', ...authorization }, ...(body === undefined ? {} : { body }) };
  const response = await fetch(`${idp.url}/admin/realms/${idp.realm}/users${path}`, init);
  return [response.status, await response.json()];
}

test('view-users lets a client look up users, and nothing else', async () => {
  const { users } = clients.viewer;
  expect(await users.find({ email: ana.email, exact: true })).toMatchObject([{ access: { manage: false } }]);
  expect((await users.findOne({ id: ana.id }))?.access).toMatchObject({ view: true, manage: false });
  expect(await errorOf(users.create(newUser()))).toEqual(forbidden);
  expect(await errorOf(users.update({ id: ana.id }, { firstName: 'x' }))).toEqual(forbidden);
  expect(await errorOf(users.del({ id: ana.id }))).toEqual(forbidden);
  expect(await errorOf(mail(clients.viewer, ana.id))).toEqual(forbidden);
});

test('manage-users lets a client look up, create, change, mail and delete users', async () => {
  const { users } = clients.manager;
  const user = newUser();
  const { id } = await users.create(user);
  expect(await users.find({ email: user.email, exact: true })).toMatchObject([{ id }]);
  await users.update({ id }, { firstName: 'Outra' });
  expect(await users.findOne({ id })).toMatchObject({ firstName: 'Outra' });
  await mail(clients.manager, id);
  await users.del({ id });
});

test('a role decides before the data of a new user, so a user without data shows the right to create users', async () => {
  const missing = { errorMessage: 'User name is missing' };
  expect(await ask(clients.manager.accessToken, 'POST', '', '{}')).toEqual([400, missing]);
  expect(await ask(clients.viewer.accessToken, 'POST', '', '{}')).toEqual([403, forbidden.data]);
});

test('an access token is required: another token is 401, and one of a user without roles is 403', async () => {
  const { body } = await passwordGrant(idp, ana.email, ana.password, { scope: 'openid' });
  for (const token of [undefined, 'junk', body['id_token'], body['refresh_token']])
    expect(await ask(token)).toEqual([401, { error: 'HTTP 401 Unauthorized' }]);
  expect(await ask(body['access_token'])).toEqual([403, forbidden.data]);
  expect(await errorOf(clients.application.users.find())).toEqual(forbidden);
});

test('an unknown user is 404 to a client that may look up users, and 403 to others', async () => {
  const unknown = `/${crypto.randomUUID()}`;
  const askAll = ({ accessToken }: KeycloakAdminClient) =>
    Promise.all([
      ask(accessToken, 'GET', unknown),
      ask(accessToken, 'PUT', unknown, '{}'),
      ask(accessToken, 'PUT', `${unknown}/execute-actions-email`, '[]'),
    ]);
  const notFound = [404, { error: 'User not found' }];
  expect(await askAll(clients.service)).toEqual([notFound, notFound, notFound]);
  const refused = [403, forbidden.data];
  expect(await askAll(clients.application)).toEqual([refused, refused, refused]);
});

test.each([
  ['POST', '', 'nonsense', 400],
  ['PUT', '/ANA/execute-actions-email', '{}', 400],
  ['PATCH', '', '{}', 405],
  ['GET', '/ANA/nothing', undefined, 404],
])('a malformed request is refused before the role is checked: %s %s %s is %i', async (method, path, body, status) => {
  for (const { accessToken } of [clients.service, clients.application])
    expect((await ask(accessToken, method, path.replace('ANA', ana.id), body))[0]).toBe(status);
});
