import { once } from 'node:events';
import { connect } from 'node:net';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createLog } from '../../src/observability/log.ts';
import type { Service } from '../../src/service/service.ts';
import { type Actor, createApi } from '../support/api.ts';
import { useMember, useTenant } from '../support/use-people.ts';
import { useWorld, type World } from '../support/world.ts';

interface Line extends Record<string, unknown> {
  level: number;
  time: string;
  msg: string;
}

const world = useWorld();
const tenant = useTenant(world);
const person = useMember(world, tenant, 'tenant-admin');
let service: Service;
let text = '';
beforeAll(async () => {
  service = await world.another({}, { log: createLog('debug', { write: (line) => (text += line) }) });
});
beforeEach(() => (text = ''));

const lines = () =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line);
const call = (...request: Parameters<World['call']>) => createApi(service.url, { mayFail: true }).call(...request);
/** The line of a request is written after its response. */
const lineOf = async (requestId: string): Promise<Line> => {
  await expect.poll(() => lines().map((line) => line['requestId'])).toContain(requestId);
  return lines().find((line) => line['requestId'] === requestId)!;
};
const send = async (actor: Parameters<World['call']>[0], target: string, body?: unknown) => {
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
  test.each<[what: string, actor: () => Actor, target: () => string, line: () => object]>([
    [
      'names the user and the tenant',
      () => ({ ...person, tenant: tenant.id }),
      () => `/api/tenants/${tenant.id}?x=y`,
      () => ({ operation: 'tenants.get', route: '/api/tenants/{id}', status: 200, ...byPerson() }),
    ],
    [
      'names the application',
      () => tenant.service,
      () => '/service/cooperatives',
      () => ({
        operation: 'service.cooperatives.list',
        route: '/service/cooperatives',
        status: 200,
        caller: tenant.clientId,
        tenant: tenant.id,
      }),
    ],
    ['has the code of a 403', () => person, () => '/api/customers', () => ({ ...route, status: 403, code: 'NOT_ALLOWED', ...byPerson() })],
    ['has the code of a 401', () => ({}), () => '/api/customers', () => ({ ...route, status: 401, code: 'UNAUTHORIZED' })],
    [
      'has no operation for an unknown route',
      () => ({}),
      () => '/unknown/ana@example.com',
      () => ({ status: 404, code: 'ROUTE_NOT_FOUND' }),
    ],
    ['has the level debug for a health check', () => ({}), () => '/health/live', () => ({ level: 20, status: 200 })],
  ])('%s', async (_what, actor, target, line) => {
    expect(await send(actor(), `GET ${target()}`)).toEqual({ ...shape, method: 'GET', ...line() });
  });

  test('names the operation over tRPC', async () => {
    await createApi(service.url).client(person).me.tenants.query();
    await expect.poll(lines).toMatchObject([{ operation: 'me.tenants', route: '/api/me/tenants', caller: person.id, status: 200 }]);
  });

  test('says that the client disconnected', async () => {
    const socket = connect(service.port, '127.0.0.1');
    await once(socket, 'connect');
    const head = [
      'POST /api/customers HTTP/1.1',
      'Host: x',
      `Authorization: Bearer ${world.global.token}`,
      'Content-Type: application/json',
    ];
    const request = [...head, 'Content-Length: 100', 'X-Request-Id: gone', '', '{"name":'].join('\r\n');
    await new Promise((sent) => socket.write(request, sent));
    socket.destroy();
    expect(await lineOf('gone')).toMatchObject({ level: 30, operation: 'customers.create', aborted: true });
  });
});

// Rules: ERRORS-6
test('the cause of an internal error is in the log and not in the response', async () => {
  await world.sql('alter table apps rename to apps_away');
  const line = await send(world.global, 'GET /api/apps');
  await world.sql('alter table apps_away rename to apps');
  expect(line).toMatchObject({
    level: 50,
    status: 500,
    code: 'INTERNAL_ERROR',
    err: { code: '42P01', stack: expect.stringContaining('apps') },
  });
});

test('the log line of a 503 has the reason', async () => {
  world.identity.faults.admin = 'refuse';
  const line = await send(world.global, 'POST /api/users', world.newPerson());
  world.identity.faults.admin = 'none';
  expect(line).toMatchObject({ level: 40, status: 503, code: 'IDENTITY_PROVIDER_UNAVAILABLE', reason: expect.any(String) });
});

/** Sends the person's data in every part of a request, and causes each kind of error. */
async function talkAbout({ name, email, federalTaxId }: { name: string; email: string; federalTaxId: string }): Promise<void> {
  const body = { name, email, federalTaxId, type: 'Technician' };
  await call(world.global, 'POST /api/users', body);
  await call(world.global, 'POST /api/users', body);
  await call(world.global, `GET /api/users/${email}/tenants?federalTaxId=${federalTaxId}`);
  await call({ token: email, tenant: federalTaxId }, 'GET /api/users');
  await call({ ...world.global, tenant: email }, 'GET /api/users');
  world.identity.faults.admin = '500';
  await call(world.global, 'POST /api/users', { ...world.newPerson(), email: `other-${email}` });
  world.identity.faults.admin = 'none';
  await world.sql('alter table users add constraint none_such check (email <> $$nobody$$ and name not like $$Ana%$$) not valid');
  await call(world.global, 'POST /api/users', { ...body, ...world.newPerson(), name: 'Ana Souza', email: `third-${email}` });
  await world.sql('alter table users drop constraint none_such');
}

test('the log has neither personal data nor tokens', async () => {
  const { federalTaxId } = world.newPerson();
  await talkAbout({ name: 'Ana Souza', email: 'ana.souza@example.com', federalTaxId });
  await send(world.global, 'GET /health/live');
  await expect.poll(() => lines().map((line) => line['status'])).toEqual(expect.arrayContaining([201, 400, 401, 403, 409, 500, 503]));
  for (const secret of ['ana.souza', 'Ana', federalTaxId, world.global.token, world.global.token?.split('.')[1] ?? '', 'eyJ'])
    expect(text).not.toContain(secret);
});
