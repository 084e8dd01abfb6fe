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
const unavailable = { code: 'IDENTITY_PROVIDER_UNAVAILABLE' };

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
test.each<readonly [string, unknown, number, { admin?: Respond; token?: Respond }]>([
  ['a closed connection', null, 3, { admin: (response) => void response.socket?.destroy() }],
  ['a body that breaks off', null, 3, { admin: cutOff }],
  ...['<html>', {}, [null], [{ email: 'a@b.c' }]].map((body) => ['a search result', body, 1, { admin: send(body) }] as const),
  ...['<html>', {}, { access_token: 'opaque' }].map((body) => ['a token response', body, 0, { token: send(body) }] as const),
])('is a failure of the provider: %s %j (%i requests)', async (_case, _body, expectedRequests, responses) => {
  ({ admin = admin, token = token } = responses);
  await expect(createClient().findByEmail('ana@example.com')).rejects.toMatchObject(unavailable);
  expect([requests, outcomes]).toEqual([expectedRequests, [false]]);
});

// Rules: IDENTITY-4
test('a creation without the id of the user is a failure of the provider', async () => {
  await expect(createClient().create({ email: 'ana@example.com', name: 'Ana Souza' })).rejects.toMatchObject(unavailable);
  expect([requests, outcomes]).toEqual([1, [false]]);
});
