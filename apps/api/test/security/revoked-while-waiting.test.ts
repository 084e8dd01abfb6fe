import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openConnection } from '../transports/connection.ts';
import { createApi } from '../support/api.ts';
import { content, lookInto, rawForm } from '../support/files.ts';
import type { Person, Tenant } from '../support/people.ts';
import { raceAgainst } from '../support/race.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World;
let tenant: Tenant;
beforeAll(async () => {
  world = await startWorld();
  tenant = await world.tenant();
});
afterAll(() => world.stop());

const json = (value: unknown) => ({ type: 'application/json', bytes: Buffer.from(JSON.stringify(value)) });
const file = {
  type: 'multipart/form-data; boundary=x',
  bytes: rawForm('x', ['content-disposition: form-data; name="file"; filename="a.pdf"\r\ncontent-type: application/pdf', content()]),
};
const asGlobal = async (target: string, body?: unknown) => expect((await world.call(world.global, target, body)).status).toBeLessThan(300);

/** Sends the request but for its last byte, and that after `meanwhile`. Gives what was answered. */
async function held(
  { token }: Person,
  target: string,
  { type, bytes }: { type: string; bytes: Buffer },
  meanwhile: () => Promise<unknown>,
): Promise<string> {
  const { socket, closed, until } = await openConnection(world.service.port);
  const head = [`${target} HTTP/1.1`, 'Host: localhost', `Authorization: Bearer ${token}`, `Content-Type: ${type}`, 'Connection: close'];
  socket.write(`${head.join('\r\n')}\r\nContent-Length: ${bytes.length}\r\n\r\n`);
  socket.write(bytes.subarray(0, -1));
  // Long enough for the service to have let it in.
  await pause(100);
  await meanwhile();
  socket.write(bytes.subarray(-1));
  await closed;
  return until('');
}

test('who is no Global user any more does not become one again', async () => {
  const person = await world.person({}, { type: 'Global' });
  const { name, email } = { name: 'Gil', email: person.email };
  const demote = () => asGlobal(`PUT /api/users/${person.id}`, { type: 'Technician' });
  for (const target of [`PUT /api/users/${person.id}`, 'POST /trpc/users.update']) {
    await asGlobal(`PUT /api/users/${person.id}`, { type: 'Global' });
    const answer = await held(person, target, json({ id: person.id, name, email, type: 'Global' }), demote);
    expect(answer).toMatch(/^HTTP\/1\.1 403 [^]*"(ACTIVE_TENANT_REQUIRED|NOT_ALLOWED)"/);
    expect((await world.call(person, 'GET /api/users')).status).toBe(403);
  }
});

test('who was deleted makes nobody', async () => {
  const person = await world.person({}, { type: 'Global' });
  const answer = await held(person, 'POST /api/users', json({ ...world.newPerson(), type: 'Global' }), () =>
    asGlobal(`DELETE /api/users/${person.id}`),
  );
  expect(answer).toMatch(/^HTTP\/1\.1 403 [^]*"USER_NOT_PROVISIONED"/);
});

test.each<[what: string, take: (person: Person) => Promise<unknown>, code: string]>([
  ['the persona', ({ id }) => asGlobal(`POST /api/users/${id}/tenants`, { tenantId: tenant.id, persona: 'viewer' }), 'NOT_ALLOWED'],
  ['the membership', ({ id }) => asGlobal(`DELETE /api/users/${id}/tenants/${tenant.id}`), 'ACTIVE_TENANT_REQUIRED'],
])('an upload from which %s was taken leaves nothing', async (_what, take, code) => {
  const person = await world.person({ [tenant.id]: 'technician' });
  const answer = await held(person, 'POST /api/attachments', file, () => take(person));
  expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 403 [^]*"${code}"`));
  expect(await lookInto(world).keys()).toEqual([]);
});

test('an application whose tenant was closed links nothing', async () => {
  const closing = await world.tenant();
  const application = { ...closing.service } as Person;
  const answer = await held(application, 'POST /service/users', json({ ...world.newPerson(), persona: 'viewer' }), () =>
    asGlobal(`PUT /api/tenants/${closing.id}`, { active: false }),
  );
  expect(answer).toMatch(/^HTTP\/1\.1 403 [^]*"CLIENT_NOT_LINKED"/);
});

test('who waits for their turn at the database does what they may do when it comes', async () => {
  const { url } = await world.another({ DATABASE_POOL_MAX: '2' }, { tenantLimits: { waitMs: 60_000 } });
  const api = createApi(url);
  const person = await world.person({}, { type: 'Global' });
  const { email, token } = person;
  let promotion: ReturnType<typeof api.call> | undefined;
  await raceAgainst(
    world,
    ['lock table organizations in access exclusive mode', []],
    () => api.call(person, 'GET /api/organizations'),
    async () => {
      promotion = api.call({ token }, `PUT /api/users/${person.id}`, { name: 'Gil', email, type: 'Global' });
      // Long enough for the service to have let it in.
      await pause(100);
      await api.call(world.global, `PUT /api/users/${person.id}`, { type: 'Technician' });
    },
  );
  expect((await promotion)?.code).toMatch(/ACTIVE_TENANT_REQUIRED|NOT_ALLOWED/);
  expect((await world.call(person, 'GET /api/users')).status).toBe(403);
});
