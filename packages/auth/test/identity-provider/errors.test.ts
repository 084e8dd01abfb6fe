import { createServer, type ServerResponse } from 'node:http';
import { UnsecuredJWT } from 'jose';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { listen } from '../../../../test/listen.ts';
import { createKeycloakClient } from '../../src/identity-provider/keycloak-client.ts';

type Respond = (response: ServerResponse) => void;
let token: Respond;
let admin: Respond;
/** Requests to the admin API. */
let requests: number;
let outcomes: boolean[];

const send =
  (body: unknown): Respond =>
  (response) =>
    void response.setHeader('content-type', 'application/json').end(typeof body === 'string' ? body : JSON.stringify(body));
/** Closes the connection after a part of the body. */
const cutOff: Respond = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' }).write('[');
  setImmediate(() => response.socket?.destroy());
};

const server = createServer((request, response) => {
  if (request.url?.startsWith('/realms/')) return token(response);
  requests += 1;
  admin(response);
});
const port = await listen(server);
beforeEach(() => {
  [requests, outcomes] = [0, []];
  token = send({ access_token: new UnsecuredJWT({}).setExpirationTime('1h').encode() });
  admin = send([]);
});
afterAll(() => server.close().closeAllConnections());

const createClient = () =>
  createKeycloakClient({
    realmUrl: `http://127.0.0.1:${port}/realms/profile`,
    clientId: 'profile-service',
    clientSecret: 'secret',
    timeoutMs: 2_000,
    onCall: (_operation, ok) => outcomes.push(ok),
  });
async function expectUnavailable(work: Promise<unknown>, expectedRequests: number): Promise<void> {
  await expect(work).rejects.toMatchObject({ code: 'IDENTITY_PROVIDER_UNAVAILABLE' });
  expect([requests, outcomes]).toEqual([expectedRequests, [false]]);
}
const find = () => createClient().findByEmail('ana@example.com');

test('a TypeError of this service passes unchanged, without another attempt', async () => {
  const bug = new TypeError('x is not a function');
  let attempts = 0;
  // Keycloak's library encodes the request as JSON.
  const email = {
    toJSON() {
      attempts += 1;
      throw bug;
    },
  };
  await expect(createClient().create({ email: email as never, name: 'Ana Souza' })).rejects.toBe(bug);
  expect([attempts, requests, outcomes]).toEqual([1, 0, [true]]);
});

// Rules: IDENTITY-4
test.each<[string, Respond]>([
  ['a closed connection', (response) => void response.socket?.destroy()],
  ['a body that breaks off', cutOff],
])('%s is a failure of the provider, after 3 attempts', async (_case, respond) => {
  admin = respond;
  await expectUnavailable(find(), 3);
});

// Rules: IDENTITY-4
test.each(['<html>', {}, [null], [{ email: 'ana@example.com' }]])('a search result %j is a failure of the provider', async (body) => {
  admin = send(body);
  await expectUnavailable(find(), 1);
});

// Rules: IDENTITY-4
test.each(['<html>', {}, { access_token: 'opaque' }])('a token response %j is a failure of the provider', async (body) => {
  token = send(body);
  await expectUnavailable(find(), 0);
});

// Rules: IDENTITY-4
test('a creation without the id of the user is a failure of the provider', () =>
  expectUnavailable(createClient().create({ email: 'ana@example.com', name: 'Ana Souza' }), 1));
