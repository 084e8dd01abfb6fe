import { createServer, type Server } from 'node:http';
import { UnsecuredJWT } from 'jose';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
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

const mayManage = (manage: boolean): [number, unknown] => [200, [{ access: { manage } }]];
const forbidden: [number, unknown] = [403, { error: 'HTTP 403 Forbidden' }];
const nobody: [number, unknown] = [200, []];
const failsWith = (problem: string, text: string): object => expect.objectContaining({ problem, message: expect.stringContaining(text) });
const lacksRole = failsWith('roles', 'lacks manage-users');
const incomplete = ['view-users', 'query-users'];

// While the admin API lists no user, the roles in the token decide.
test.each<[what: string, roles: string[] | undefined, response: [number, unknown], problem: object | undefined]>([
  ['no roles, and the right to manage', undefined, mayManage(true), undefined],
  ['no roles, and no right to manage', undefined, mayManage(false), lacksRole],
  ['no roles, and no right to list', undefined, forbidden, lacksRole],
  ['no roles, and no user', undefined, nobody, undefined],
  ['other roles, and the right to manage', incomplete, mayManage(true), undefined],
  ['other roles, and no user', incomplete, nobody, lacksRole],
  ['manage-users, and no right to manage', ['manage-users'], mayManage(false), lacksRole],
  ['manage-users, and no right to list', ['manage-users'], forbidden, lacksRole],
  ['manage-users, and no user', ['manage-users'], nobody, undefined],
  ['no roles, and an error of the admin API', undefined, [500, {}], failsWith('status', 'admin API')],
])('a token with %s', async (_what, roles, response, problem) => {
  token = () => issue(roles ? { roles } : {});
  admin = () => response;
  const failure: unknown = await createCheck()().catch((error: unknown) => error);
  expect(failure).toEqual(problem);
  expect(requests).toEqual(['token', read]);
});

test.each([
  [62, 'ahead'],
  [-62, 'behind'],
])('a clock that differs by %i seconds is reported', async (aheadSeconds, direction) => {
  token = () => issue({ roles: ['view-users', 'manage-users'], aheadSeconds });
  await expect(createCheck()()).rejects.toMatchObject({ problem: 'clock', message: expect.stringContaining(direction) });
});

test('an error status of the token endpoint is reported', async () => {
  token = () => [503, {}];
  await expect(createCheck()()).rejects.toMatchObject({ problem: 'status', message: expect.stringContaining('token endpoint') });
});
