import { randomUUID } from 'node:crypto';
import type KeycloakAdminClient from '@keycloak/keycloak-admin-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ana, application, manager, service, viewer } from './realm-data.ts';
import { adminClient, errorOf, newUser, passwordGrant } from './requests.ts';
import { startProvider } from './start-provider.ts';
import type { TestedProvider } from './tested-provider.ts';

let idp: TestedProvider;
let clients: Record<'service' | 'viewer' | 'manager' | 'application', KeycloakAdminClient>;

beforeAll(async () => {
  idp = await startProvider();
  const [one, two, three, four] = await Promise.all([service, viewer, manager, application].map((client) => adminClient(idp, client)));
  clients = { service: one!, viewer: two!, manager: three!, application: four! };
});
afterAll(() => idp.stop());

const unknown = { id: randomUUID() };
const json = 'application/json';
const forbidden = { status: 403, data: { error: 'HTTP 403 Forbidden' } };
const mail = (client: KeycloakAdminClient, id: string) => client.users.executeActionsEmail({ id, actions: ['UPDATE_PASSWORD'] });

/** Sends a request below `/users`. Returns status and body. */
async function ask(token: string | undefined, target: string, body?: string, type = json): Promise<[number, unknown]> {
  const [method = '', path = ''] = target.split(' ');
  const authorization = token === undefined ? undefined : { authorization: `Bearer ${token}` };
  const init = { method, headers: { 'content-type': type, ...authorization }, ...(body === undefined ? {} : { body }) };
  const response = await fetch(`${idp.url}/admin/realms/${idp.realm}/users${path}`, init);
  const text = await response.text();
  return [response.status, text === '' ? undefined : (JSON.parse(text) as unknown)];
}

describe('a role of realm-management', () => {
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

  test('is needed for every request', async () => {
    const { users } = clients.application;
    expect(await errorOf(users.find())).toEqual(forbidden);
    expect(await errorOf(users.count())).toEqual(forbidden);
    expect(await errorOf(users.findOne({ id: ana.id }))).toEqual(forbidden);
    expect(await errorOf(users.create(newUser()))).toEqual(forbidden);
  });

  test('decides before the data of a new user, so a user without data shows the right to create users', async () => {
    const missing = { errorMessage: 'User name is missing' };
    expect(await ask(clients.manager.accessToken, 'POST ', '{}')).toEqual([400, missing]);
    expect(await ask(clients.viewer.accessToken, 'POST ', '{}')).toEqual([403, forbidden.data]);
  });
});

describe('the admin API responds with 401 to', () => {
  const unauthorized = [401, { error: 'HTTP 401 Unauthorized' }];

  test('a missing token and a junk token', async () => {
    for (const token of [undefined, 'junk']) expect(await ask(token, 'GET ')).toEqual(unauthorized);
    expect(await ask(undefined, 'POST ', 'nonsense')).toEqual(unauthorized);
  });

  test('an ID token and a refresh token, and with 403 to an access token of a user without roles', async () => {
    const { body } = await passwordGrant(idp, ana.email, ana.password, { scope: 'openid' });
    for (const name of ['id_token', 'refresh_token']) expect(await ask(body[name], 'GET ')).toEqual(unauthorized);
    expect(await ask(body['access_token'], 'GET ')).toEqual([403, forbidden.data]);
  });
});

describe('an unknown user', () => {
  const requests = [
    ['GET', undefined],
    ['PUT', '{}'],
    ['DELETE', undefined],
  ] as const;

  test('is 404 for every method and for a mail, if the client may look up users', async () => {
    const notFound = [404, { error: 'User not found' }];
    for (const { accessToken } of [clients.service, clients.viewer]) {
      for (const [method, body] of requests) expect(await ask(accessToken, `${method} /${unknown.id}`, body)).toEqual(notFound);
      expect(await ask(accessToken, `PUT /${unknown.id}/execute-actions-email`, '[]')).toEqual(notFound);
    }
    expect(await clients.service.users.findOne(unknown)).toBeNull();
  });

  test('is 403 otherwise', async () => {
    const { accessToken } = clients.application;
    for (const [method, body] of requests) expect(await ask(accessToken, `${method} /${unknown.id}`, body)).toEqual([403, forbidden.data]);
    expect(await ask(accessToken, `PUT /${unknown.id}/execute-actions-email`, '[]')).toEqual([403, forbidden.data]);
  });
});

describe('a malformed request, also of a client without roles', () => {
  const notJson = { error: 'invalid_request', error_description: 'Cannot parse the JSON' };
  const wrongShape = { error: 'unknown_error', error_description: 'Cannot parse the JSON' };
  const wrongType = { error: 'The content-type header value did not match the value in @Consumes' };
  const notAllowed = { error: 'HTTP 405 Method Not Allowed' };
  const notFound = { error: 'HTTP 404 Not Found' };

  test.each([
    ['POST ', 'nonsense', json, 400, notJson],
    ['POST ', '[]', json, 400, wrongShape],
    ['POST ', '{}', 'text/plain', 415, wrongType],
    ['PUT /ANA', 'nonsense', json, 400, notJson],
    ['PUT /ANA', '{}', 'text/plain', 415, wrongType],
    ['PUT /ANA/execute-actions-email', 'nonsense', json, 400, notJson],
    ['PUT /ANA/execute-actions-email', '{}', json, 400, wrongShape],
    ['PUT /ANA/execute-actions-email', '[]', 'text/plain', 415, wrongType],
    ['PUT /ANA/execute-actions-email?lifespan=x', '["UPDATE_PASSWORD"]', json, 404, notFound],
    ['PATCH ', '{}', json, 405, notAllowed],
    ['PUT ', '{}', json, 405, notAllowed],
    ['DELETE ', undefined, json, 405, notAllowed],
    ['POST /ANA', '{}', json, 404, notFound],
    ['GET /ANA/execute-actions-email', undefined, json, 404, notFound],
    ['POST /ANA/execute-actions-email', '[]', json, 404, notFound],
    ['GET ?first=x', undefined, json, 404, notFound],
    ['GET /ANA/nothing', undefined, json, 404, notFound],
  ])('%s with %s as %s is %i', async (target, body, type, status, data) => {
    for (const { accessToken } of [clients.service, clients.application])
      expect(await ask(accessToken, target.replace('ANA', ana.id), body, type)).toEqual([status, data]);
  });
});

test('the admin API responds with 404 to another realm', async () => {
  const headers = { authorization: `Bearer ${clients.service.accessToken}` };
  const response = await fetch(`${idp.url}/admin/realms/other/users`, { headers });
  expect([response.status, await response.json()]).toEqual([404, { error: 'Realm not found.' }]);
});
