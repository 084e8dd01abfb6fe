import type KeycloakAdminClient from '@keycloak/keycloak-admin-client';
import { expect, test } from 'vitest';
import { ana, manager, viewer } from './realm-data.ts';
import { adminClient, errorOf, newUser, passwordGrant } from './requests.ts';
import { useProvider } from './start-provider.ts';

const idp = useProvider();

const forbidden = { error: 'HTTP 403 Forbidden' };
const mail = (client: KeycloakAdminClient, id: string) => client.users.executeActionsEmail({ id, actions: ['UPDATE_PASSWORD'] });

/** Sends a request to `/users`. Returns status and body. */
async function ask(token: string | undefined, method: string, body?: string): Promise<[number, unknown]> {
  const authorization = token === undefined ? undefined : { authorization: `Bearer ${token}` };
  const init = { method, headers: { 'content-type': 'application/json', ...authorization }, ...(body === undefined ? {} : { body }) };
  const response = await fetch(`${idp.url}/admin/realms/${idp.realm}/users`, init);
  return [response.status, await response.json()];
}

test('view-users lets a client look up users, and nothing else', async () => {
  const client = await adminClient(idp, viewer);
  expect(await client.users.find({ email: ana.email, exact: true })).toMatchObject([{ access: { manage: false } }]);
  const refused = [() => client.users.create(newUser()), () => client.users.del({ id: ana.id }), () => mail(client, ana.id)];
  for (const call of refused) expect(await errorOf(call())).toEqual({ status: 403, data: forbidden });
});

test('manage-users lets a client look up, create and mail users', async () => {
  const client = await adminClient(idp, manager);
  const user = newUser();
  const { id } = await client.users.create(user);
  expect(await client.users.find({ email: user.email, exact: true })).toMatchObject([{ id }]);
  await mail(client, id);
});

test('a role decides before the data of a new user, so a user without data shows the right to create users', async () => {
  const [manages, views] = await Promise.all([adminClient(idp, manager), adminClient(idp, viewer)]);
  expect(await ask(manages.accessToken, 'POST', '{}')).toEqual([400, { errorMessage: 'User name is missing' }]);
  expect(await ask(views.accessToken, 'POST', '{}')).toEqual([403, forbidden]);
});

test('an access token is required: another token is 401, and one of a user without roles is 403', async () => {
  const { body } = await passwordGrant(idp, ana.email, ana.password, { scope: 'openid' });
  for (const token of [undefined, 'junk', body['id_token'], body['refresh_token']])
    expect(await ask(token, 'GET')).toEqual([401, { error: 'HTTP 401 Unauthorized' }]);
  expect(await ask(body['access_token'], 'GET')).toEqual([403, forbidden]);
});
