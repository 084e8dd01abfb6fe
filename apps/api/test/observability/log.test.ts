import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { duringTests } from '../../../../test/during-tests.ts';
import { type Actor, createApi } from '../support/api.ts';
import { recordLog } from '../support/recorded-log.ts';
import { useMember, useTenant } from '../support/use-people.ts';
import { useWorld, type World } from '../support/world.ts';
import { headOf, openConnection } from '../transports/connection.ts';

const world = useWorld();
const tenant = useTenant(world);
const person = useMember(world, tenant, 'tenant-admin');
const { log, lines, text, clear, started } = recordLog('debug');
const service = duringTests(() => world.another({}, { log }));
beforeAll(started);
beforeEach(clear);

const call = (...request: Parameters<World['call']>) => createApi(service.url, { mayFail: true }).call(...request);
/** The line of a request is written after its response. */
const lineOf = async (requestId: string) => {
  await expect.poll(() => lines().map((line) => line['requestId'])).toContain(requestId);
  return lines().find((line) => line['requestId'] === requestId)!;
};
const send = async (actor: Actor, target: string, body?: unknown) => {
  const requestId = `request-${Math.random()}`;
  await call(actor, target, body, { 'x-request-id': requestId });
  return lineOf(requestId);
};

const shape = {
  level: 30,
  time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
  msg: 'request',
  requestId: expect.any(String),
  durationMs: expect.any(Number),
};

describe('the log line of a request', () => {
  const route = { operation: 'customers.list', method: 'GET', route: '/api/customers' };
  const byPerson = () => ({ caller: person.id, tenant: tenant.id });
  const ofTenant = { operation: 'tenants.get', route: '/api/tenants/{id}', status: 200 };
  const ofCooperatives = { operation: 'service.cooperatives.list', route: '/service/cooperatives', status: 200 };
  const byApplication = () => ({ caller: tenant.clientId, tenant: tenant.id });
  const nobody = () => ({});
  test.each<[what: string, actor: () => Actor, target: () => string, line: () => object]>([
    ['names the user and the tenant', () => person, () => `/api/tenants/${tenant.id}?x=y`, () => ({ ...ofTenant, ...byPerson() })],
    ['names the application', () => tenant.service, () => '/service/cooperatives', () => ({ ...ofCooperatives, ...byApplication() })],
    ['has the code of a 403', () => person, () => '/api/customers', () => ({ ...route, status: 403, code: 'NOT_ALLOWED', ...byPerson() })],
    ['has the code of a 401', nobody, () => '/api/customers', () => ({ ...route, status: 401, code: 'UNAUTHORIZED' })],
    ['has no unknown route', nobody, () => '/unknown/ana@example.com', () => ({ status: 404, code: 'ROUTE_NOT_FOUND' })],
    ['has the level debug for a health check', nobody, () => '/health/live', () => ({ level: 20, status: 200 })],
  ])('%s', async (_what, actor, target, line) => {
    expect(await send(actor(), `GET ${target()}`)).toEqual({ ...shape, method: 'GET', ...line() });
  });

  test('names the operation over tRPC', async () => {
    await service.client(person).me.tenants.query();
    await expect.poll(lines).toMatchObject([{ operation: 'me.tenants', route: '/api/me/tenants', caller: person.id, status: 200 }]);
  });

  test('says that the client disconnected', async () => {
    const { socket } = await openConnection(service.port);
    const headers = ['Content-Type: application/json', 'Content-Length: 100', 'X-Request-Id: gone'];
    await new Promise((sent) => socket.write(headOf('POST /api/customers', world.global, ...headers), sent));
    socket.destroy();
    expect(await lineOf('gone')).toMatchObject({ level: 30, operation: 'customers.create', aborted: true });
  });
});

// Rules: ERRORS-6
test('the cause of an internal error is in the log and not in the response', async () => {
  await world.sql('alter table apps rename to apps_away');
  const line = await send(world.global, 'GET /api/apps');
  await world.sql('alter table apps_away rename to apps');
  const err = { code: '42P01', stack: expect.stringContaining('apps') };
  expect(line).toMatchObject({ level: 50, status: 500, code: 'INTERNAL_ERROR', err });
});

test('the log has neither personal data nor tokens, and the line of a 503 has the reason', async () => {
  const email = 'ana.souza@example.com';
  const { federalTaxId } = world.newPerson();
  const body = { name: 'Ana Souza', email, federalTaxId, type: 'Technician' };
  for (const _ of [1, 2]) await call(world.global, 'POST /api/users', body);
  await call(world.global, `GET /api/users/${email}/tenants?federalTaxId=${federalTaxId}`);
  await call({ token: email, tenant: federalTaxId }, 'GET /api/users');
  await call({ ...world.global, tenant: email }, 'GET /api/users');
  world.identity.faults.admin = 'refuse';
  const unavailable = await send(world.global, 'POST /api/users', { ...world.newPerson(), email: `other-${email}` });
  world.identity.faults.admin = 'none';
  expect(unavailable).toMatchObject({ level: 40, status: 503, code: 'IDENTITY_PROVIDER_UNAVAILABLE', reason: expect.any(String) });
  await world.sql('alter table users add constraint none_such check (email <> $$nobody$$ and name not like $$Ana%$$) not valid');
  await call(world.global, 'POST /api/users', { ...world.newPerson(), name: 'Ana Souza', email: `third-${email}` });
  await world.sql('alter table users drop constraint none_such');

  await expect.poll(() => lines().map((line) => line['status'])).toEqual(expect.arrayContaining([201, 400, 401, 403, 409, 500, 503]));
  for (const secret of ['ana.souza', 'Ana', federalTaxId, world.global.token, world.global.token?.split('.')[1] ?? '', 'eyJ'])
    expect(text()).not.toContain(secret);
});
