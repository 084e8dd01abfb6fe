import { once } from 'node:events';
import { connect } from 'node:net';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createLog } from '../../src/observability/log.ts';
import type { Service } from '../../src/service/service.ts';
import { createApi } from '../support/api.ts';
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
  test('names the user and the tenant', async () => {
    const line = await send({ ...person, tenant: tenant.id }, `GET /api/tenants/${tenant.id}?x=y`);
    const about = { operation: 'tenants.get', method: 'GET', route: '/api/tenants/{id}', status: 200 };
    expect(line).toEqual({ ...shape, ...about, caller: person.id, tenant: tenant.id });
  });

  test('names the application', async () => {
    const line = await send(tenant.service, 'GET /service/cooperatives');
    const about = { operation: 'service.cooperatives.list', method: 'GET', route: '/service/cooperatives', status: 200 };
    expect(line).toEqual({ ...shape, ...about, caller: tenant.clientId, tenant: tenant.id });
  });

  test('names the operation over tRPC', async () => {
    await createApi(service.url).client(person).me.tenants.query();
    await expect.poll(lines).toMatchObject([{ operation: 'me.tenants', route: '/api/me/tenants', caller: person.id, status: 200 }]);
  });

  test('has the code of a refusal', async () => {
    const about = { operation: 'customers.list', method: 'GET', route: '/api/customers' };
    expect(await send(person, 'GET /api/customers')).toEqual({
      ...shape,
      ...about,
      status: 403,
      code: 'NOT_ALLOWED',
      caller: person.id,
      tenant: tenant.id,
    });
    expect(await send({}, 'GET /api/customers')).toEqual({ ...shape, ...about, status: 401, code: 'UNAUTHORIZED' });
  });

  test('has no operation for an unknown route', async () => {
    expect(await send({}, 'GET /unknown/ana@example.com')).toEqual({ ...shape, method: 'GET', status: 404, code: 'ROUTE_NOT_FOUND' });
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
