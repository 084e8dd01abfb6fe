import { createServer, type Server } from 'node:http';
import { UnsecuredJWT } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { listen } from '../../../../test/listen.ts';
import { createIdentityAccessCheck } from '../../src/observability/check-identity-access.ts';

let server: Server;
/** The responses of the token endpoint and of the admin API, and the requests so far. */
let token: () => [number, object];
let admin: () => [number, unknown];
let requests: string[];

let port: number;
beforeAll(async () => {
  server = createServer((request, response) => {
    const isToken = request.url?.startsWith('/realms/') === true;
    requests.push(isToken ? 'token' : `${request.method} ${request.url}`);
    const [status, body] = isToken ? token() : admin();
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  port = await listen(server);
});
beforeEach(() => {
  requests = [];
  admin = () => [200, [{ id: 'a', access: { manage: true } }]];
  token = () => issue({ roles: ['view-users', 'manage-users', 'query-users'] });
});
afterAll(() => server.close().closeAllConnections());

const issue = ({ roles, aheadSeconds = 0 }: { roles?: string[]; aheadSeconds?: number }): [number, object] => {
  const claims = roles ? { resource_access: { 'realm-management': { roles } } } : {};
  const now = Math.floor(Date.now() / 1000);
  return [200, { access_token: new UnsecuredJWT(claims).setIssuedAt(now + aheadSeconds).encode() }];
};

/** The only request to the admin API. */
const read = 'GET /admin/realms/profile/users?max=1&briefRepresentation=true';

const createCheck = () =>
  createIdentityAccessCheck({
    realmUrl: `http://127.0.0.1:${port}/realms/profile`,
    clientId: 'profile-service',
    clientSecret: 'secret',
  });

test('a client with its roles passes, and is checked again only after a minute', async () => {
  const check = createCheck();
  await check();
  await check();
  expect(requests).toEqual(['token', read]);
});

test('a failed check is repeated at once', async () => {
  const check = createCheck();
  token = () => [401, { error: 'unauthorized_client' }];
  for (let attempt = 0; attempt < 2; attempt += 1) await expect(check()).rejects.toMatchObject({ problem: 'credentials' });
  token = () => issue({ roles: ['view-users', 'manage-users'] });
  await check();
  expect(requests).toEqual(['token', 'token', 'token', read]);
});

const lacksRole = { problem: 'roles', message: expect.stringContaining('lacks manage-users') };

test.each([
  ['no roles', undefined],
  ['roles without manage-users', ['view-users', 'query-users']],
  ['manage-users', ['manage-users']],
])('for a token with %s, the admin API decides whether the service account lacks manage-users', async (_case, roles) => {
  token = () => issue(roles === undefined ? {} : { roles });
  await createCheck()();
  admin = () => [200, [{ access: { manage: false } }]];
  await expect(createCheck()()).rejects.toMatchObject(lacksRole);
  admin = () => [403, { error: 'HTTP 403 Forbidden' }];
  await expect(createCheck()()).rejects.toMatchObject(lacksRole);
  expect(requests).toEqual(['token', read, 'token', read, 'token', read]);
});

describe('while the admin API lists no user', () => {
  beforeEach(() => (admin = () => [200, []]));

  test('the roles in the token decide', async () => {
    await createCheck()();
    token = () => issue({ roles: ['query-users'] });
    await expect(createCheck()()).rejects.toMatchObject(lacksRole);
  });

  test('a token without roles reports nothing', async () => {
    token = () => issue({});
    await createCheck()();
    expect(requests).toEqual(['token', read]);
  });
});

test.each([
  [62, 'ahead'],
  [-62, 'behind'],
])('a clock that differs by %i seconds is reported', async (aheadSeconds, direction) => {
  token = () => issue({ roles: ['view-users', 'manage-users'], aheadSeconds });
  await expect(createCheck()()).rejects.toMatchObject({ problem: 'clock', message: expect.stringContaining(direction) });
});

test.each([
  ['token endpoint', () => (token = () => [503, {}])],
  [
    'admin API',
    () => {
      token = () => issue({});
      admin = () => [500, {}];
    },
  ],
])('an error status of the %s is reported', async (part, prepare) => {
  prepare();
  await expect(createCheck()()).rejects.toMatchObject({ problem: 'status', message: expect.stringContaining(part) });
});
