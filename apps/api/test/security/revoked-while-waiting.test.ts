import { describe, expect, test } from 'vitest';
import { headOf, openConnection } from '../transports/connection.ts';
import { content, lookInto, rawForm } from '../support/files.ts';
import { metricOf } from '../support/metrics.ts';
import type { Person } from '../support/people.ts';
import { raceAgainst } from '../support/race.ts';
import { useTenant } from '../support/use-people.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld({ MANAGEMENT_PORT: '0' });
const tenant = useTenant(world);

const json = (value: unknown) => ({ type: 'application/json', bytes: Buffer.from(JSON.stringify(value)) });
const file = {
  type: 'multipart/form-data; boundary=x',
  bytes: rawForm('x', ['content-disposition: form-data; name="file"; filename="a.pdf"\r\ncontent-type: application/pdf', content()]),
};
const asGlobal = async (target: string, body?: unknown) => expect((await world.call(world.global, target, body)).status).toBeLessThan(300);
/** How often the service has looked up a caller. */
const lookups = (service = world.service) => metricOf(service, 'profile_caller_cache_lookups_total');

/** Sends the request without its last byte. When the service has authorized it, runs `meanwhile`, then sends the last byte. Returns the response. */
async function held(
  actor: { token: string },
  target: string,
  { type, bytes }: { type: string; bytes: Buffer },
  meanwhile: () => Promise<unknown>,
): Promise<string> {
  // Fills the caller cache: the service authorizes a cached caller in the same turn as it looks them up.
  await world.call(actor, target.includes('/service/') ? 'GET /service/cooperatives' : 'GET /api/me/tenants');
  const before = await lookups();
  const { socket, closed, until } = await openConnection(world.service.port);
  socket.write(headOf(target, actor, `Content-Type: ${type}`, 'Connection: close', `Content-Length: ${bytes.length}`));
  socket.write(bytes.subarray(0, -1));
  await expect.poll(() => lookups()).toBeGreaterThan(before);
  await meanwhile();
  socket.write(bytes.subarray(-1));
  await closed;
  return until('');
}

describe('a request whose body is still arriving', () => {
  test('cannot promote the user who sent it after their demotion', async () => {
    const person = await world.person({}, { type: 'Global' });
    const demote = () => asGlobal(`PUT /api/users/${person.id}`, { type: 'Technician' });
    for (const target of [`PUT /api/users/${person.id}`, 'POST /trpc/users.update']) {
      await asGlobal(`PUT /api/users/${person.id}`, { type: 'Global' });
      const answer = await held(person, target, json({ id: person.id, email: person.email, type: 'Global' }), demote);
      expect(answer).toMatch(/^HTTP\/1\.1 403 [^]*"(ACTIVE_TENANT_REQUIRED|NOT_ALLOWED)"/);
      expect((await world.call(person, 'GET /api/users')).status).toBe(403);
    }
  });

  test('cannot create a user after its sender was deleted', async () => {
    const person = await world.person({}, { type: 'Global' });
    const answer = await held(person, 'POST /api/users', json({ ...world.newPerson(), type: 'Global' }), () =>
      asGlobal(`DELETE /api/users/${person.id}`),
    );
    expect(answer).toMatch(/^HTTP\/1\.1 403 [^]*"USER_NOT_PROVISIONED"/);
  });

  test.each<[what: string, revoke: (person: Person) => Promise<unknown>, code: string]>([
    ['persona', ({ id }) => asGlobal(`POST /api/users/${id}/tenants`, { tenantId: tenant.id, persona: 'viewer' }), 'NOT_ALLOWED'],
    ['membership', ({ id }) => asGlobal(`DELETE /api/users/${id}/tenants/${tenant.id}`), 'ACTIVE_TENANT_REQUIRED'],
  ])('stores no file after the %s of its sender was revoked', async (_what, revoke, code) => {
    const person = await world.person({ [tenant.id]: 'technician' });
    const answer = await held(person, 'POST /api/attachments', file, () => revoke(person));
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 403 [^]*"${code}"`));
    expect(await lookInto(world).keys()).toEqual([]);
  });

  test('cannot create a user for an application after its tenant was deactivated', async () => {
    const { id, service } = await world.tenant();
    const answer = await held(service, 'POST /service/users', json({ ...world.newPerson(), persona: 'viewer' }), () =>
      asGlobal(`PUT /api/tenants/${id}`, { active: false }),
    );
    expect(answer).toMatch(/^HTTP\/1\.1 403 [^]*"CLIENT_NOT_LINKED"/);
  });
});

test('a request that waits for the database runs with the permissions that its sender has after the wait', async () => {
  const api = await world.another({ DATABASE_POOL_MAX: '2' }, { tenantLimits: { waitMs: 60_000 } });
  const person = await world.person({}, { type: 'Global' });
  const { email, token } = person;
  let promotion: ReturnType<typeof api.call> | undefined;
  await raceAgainst(
    world,
    ['lock table organizations in access exclusive mode', []],
    () => api.call(person, 'GET /api/organizations'),
    async () => {
      const before = await lookups(api);
      promotion = api.call({ token }, `PUT /api/users/${person.id}`, { name: 'Gil', email, type: 'Global' });
      // The service authorizes the request when it arrives, and again when its body has arrived. Then the request waits.
      await expect.poll(() => lookups(api)).toBeGreaterThanOrEqual(before + 2);
      await api.call(world.global, `PUT /api/users/${person.id}`, { type: 'Technician' });
    },
  );
  expect((await promotion)?.code).toMatch(/ACTIVE_TENANT_REQUIRED|NOT_ALLOWED/);
  expect((await world.call(person, 'GET /api/users')).status).toBe(403);
});
