import { absentId } from '@profile-service/contracts/examples';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Person } from '../support/people.ts';
import type { User } from '../support/records.ts';
import { useMember, useTenant } from '../support/use-people.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();
const tenant = useTenant(world);
const member = useMember(world, tenant, 'viewer');
let holder: Person;
let globalUser: Person;
beforeAll(async () => {
  const roles = ['users:create', 'users:read', 'users:update', 'users:delete'];
  holder = await world.person({ [tenant.id]: 'viewer' }, { roles });
  globalUser = await world.person({ [tenant.id]: 'viewer' }, { type: 'Global' });
});

const read = async (id: string) => (await world.call<User>(world.global, `GET /api/users/${id}`)).body;
const codeOf = async (target: string, body?: object) => (await world.call(holder, target, body)).code;

describe('a holder of the users roles', () => {
  // Rules: CHECKS-3
  test('cannot create a Global user, and no identity is created', async () => {
    const person = { ...world.newPerson(), type: 'Global' };
    for (const fields of [{}, { customerId: absentId }, { email: member.email }])
      expect(await codeOf('POST /api/users', { ...person, ...fields })).toBe('NOT_ALLOWED');
    expect(await codeOf('POST /api/users', { ...person, name: '' })).toBe('VALIDATION_FAILED');
    expect(world.identity.users().some(({ email }) => email === person.email)).toBe(false);
  });

  // Rules: ACCESS-14
  test('cannot promote a user to Global', async () => {
    for (const id of [member.id, holder.id, absentId]) expect(await codeOf(`PUT /api/users/${id}`, { type: 'Global' })).toBe('NOT_ALLOWED');
    expect((await read(holder.id)).type).toBe('Technician');
  });

  // Rules: ACCESS-14, ACCESS-15
  test('changes, links, unlinks and deletes a user, but not a Global user', async () => {
    const requests: [method: string, path: string, body?: object][] = [
      ...[{ name: 'New' }, { type: 'Admin' }, {}].map((body): [string, string, object] => ['PUT', '', body]),
      ['POST', '/tenants', { tenantId: tenant.id, persona: 'tenant-admin' }],
      ['DELETE', `/tenants/${tenant.id}`],
      ['DELETE', ''],
    ];
    const { id } = (await world.call<User>(holder, 'POST /api/users', world.newPerson())).body;
    const before = await read(globalUser.id);
    for (const [method, path, body] of requests) {
      expect(await codeOf(`${method} /api/users/${globalUser.id}${path}`, body)).toBe('NOT_ALLOWED');
      expect((await world.call(holder, `${method} /api/users/${id}${path}`, body)).status).toBeLessThan(300);
    }
    expect(await codeOf(`PUT /api/users/${globalUser.id}`, { customerId: absentId })).toBe('NOT_ALLOWED');
    const ofNoTenant = { tenantId: absentId, persona: 'tenant-admin' };
    expect(await codeOf(`POST /api/users/${globalUser.id}/tenants`, ofNoTenant)).toBe('NOT_ALLOWED');
    expect(await read(globalUser.id)).toEqual(before);
    const { body } = await world.call(world.global, `GET /api/users/${globalUser.id}/tenants`);
    expect(body).toMatchObject({ data: [{ id: tenant.id, persona: 'viewer' }] });
  });

  test('cannot delete a user who is promoted at the same time', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { id } = await world.person();
      const [promotion, deletion] = await Promise.all([
        world.call(world.global, `PUT /api/users/${id}`, { type: 'Global' }),
        world.call(holder, `DELETE /api/users/${id}`),
      ]);
      // Either the deletion came first, or the user is Global and remains.
      expect([promotion.status, deletion.status]).toEqual(deletion.status === 204 ? [404, 204] : [200, 403]);
    }
  });
});

test('a Global user creates, changes and deletes another Global user', async () => {
  const { id } = await world.create<User>('POST /api/users', { ...world.newPerson(), type: 'Global' });
  for (const type of ['Admin', 'Global'])
    expect(await world.call(world.global, `PUT /api/users/${id}`, { type })).toMatchObject({ status: 200, body: { type } });
  expect((await world.call(world.global, `DELETE /api/users/${id}`)).status).toBe(204);
});
