import { createServer, type Server } from 'node:http';
import { UnsecuredJWT } from 'jose';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { listen } from '../../../../test/listen.ts';
import { createIdentityAccessCheck } from '../../src/observability/check-identity-access.ts';

type Response = [status: number, body: unknown];
let server: Server;
let port: number;
/** The responses of the token endpoint and of the admin API, and the requests so far. */
let token: () => Response;
let admin: Response;
let requests: string[];

beforeAll(async () => {
  server = createServer((request, response) => {
    const isToken = request.url?.startsWith('/realms/') === true;
    requests.push(isToken ? 'token' : `${request.method} ${request.url}`);
    const [status, body] = isToken ? token() : admin;
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  port = await listen(server);
});
beforeEach(() => {
  requests = [];
  admin = mayManage(true);
  token = issue(['view-users', 'manage-users', 'query-users']);
});
afterAll(() => server.close().closeAllConnections());

const issue =
  (roles?: string[], aheadSeconds = 0) =>
  (): Response => {
    const claims = roles ? { resource_access: { 'realm-management': { roles } } } : {};
    const issuedAt = Math.floor(Date.now() / 1000) + aheadSeconds;
    return [200, { access_token: new UnsecuredJWT(claims).setIssuedAt(issuedAt).encode() }];
  };
const mayManage = (manage: boolean): Response => [200, [{ access: { manage } }]];
const forbidden: Response = [403, { error: 'HTTP 403 Forbidden' }];
const nobody: Response = [200, []];

/** The only request to the admin API. */
const read = 'GET /admin/realms/profile/users?max=1&briefRepresentation=true';

function createCheck(): () => Promise<void> {
  const realmUrl = `http://127.0.0.1:${port}/realms/profile`;
  return createIdentityAccessCheck({ realmUrl, clientId: 'profile-service', clientSecret: 'secret' });
}

test('a failed check is repeated at once, and one that passes only after a minute', async () => {
  const check = createCheck();
  token = () => [401, { error: 'unauthorized_client' }];
  for (let attempt = 0; attempt < 2; attempt += 1) await expect(check()).rejects.toMatchObject({ problem: 'credentials' });
  token = issue(['view-users', 'manage-users']);
  await check();
  await check();
  expect(requests).toEqual(['token', 'token', 'token', read]);
});

const failsWith = (problem: string, text: string): object => expect.objectContaining({ problem, message: expect.stringContaining(text) });
const lacksRole = failsWith('roles', 'lacks manage-users');
const incomplete = ['view-users', 'query-users'];

// While the admin API lists no user, the roles in the token decide.
test.each<[what: string, token: () => Response, admin: Response, problem?: object]>([
  ['no roles, and no right to list', issue(), forbidden, lacksRole],
  ['no roles, and no user', issue(), nobody],
  ['other roles, and the right to manage', issue(incomplete), mayManage(true)],
  ['other roles, and no user', issue(incomplete), nobody, lacksRole],
  ['manage-users, and no right to manage', issue(['manage-users']), mayManage(false), lacksRole],
  ['manage-users, and no user', issue(['manage-users']), nobody],
  ['an error of the admin API', issue(), [500, {}], failsWith('status', 'admin API')],
  ['a clock that is 62 seconds slow', issue([], 62), nobody, failsWith('clock', 'ahead')],
  ['a clock that is 62 seconds fast', issue([], -62), nobody, failsWith('clock', 'behind')],
  ['an error of the token endpoint', () => [503, {}], nobody, failsWith('status', 'token endpoint')],
])('%s', async (_what, tokenResponse, adminResponse, problem) => {
  [token, admin] = [tokenResponse, adminResponse];
  expect(await createCheck()().catch((error: unknown) => error)).toEqual(problem);
});
