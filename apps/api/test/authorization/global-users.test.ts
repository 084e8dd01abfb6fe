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

describe('a holder of the users roles', () => {
  test('creates, reads, changes, links and deletes a user who is not Global', async () => {
    const { status, body } = await world.call<User>(holder, 'POST /api/users', world.newPerson());
    expect(status).toBe(201);
    const path = `/api/users/${body.id}`;
    expect((await world.call(holder, `GET ${path}`)).status).toBe(200);
    expect((await world.call(holder, `PUT ${path}`, { type: 'Admin' })).status).toBe(200);
    expect((await world.call(holder, `POST ${path}/tenants`, { tenantId: tenant.id, persona: 'viewer' })).status).toBe(201);
    expect((await world.call(holder, `DELETE ${path}/tenants/${tenant.id}`)).status).toBe(204);
    expect((await world.call(holder, `DELETE ${path}`)).status).toBe(204);
  });

  // Rules: CHECKS-3
  test('cannot create a Global user, and no identity is created', async () => {
    const person = { ...world.newPerson(), type: 'Global' };
    expect((await world.call(holder, 'POST /api/users', person)).code).toBe('NOT_ALLOWED');
    expect((await world.call(holder, 'POST /api/users', { ...person, customerId: absentId })).code).toBe('NOT_ALLOWED');
    expect((await world.call(holder, 'POST /api/users', { ...person, email: member.email })).code).toBe('NOT_ALLOWED');
    expect((await world.call(holder, 'POST /api/users', { ...person, name: '' })).code).toBe('VALIDATION_FAILED');
    expect(world.identity.users().some(({ email }) => email === person.email)).toBe(false);
  });

  // Rules: ACCESS-14
  test('cannot promote a user to Global', async () => {
    for (const id of [member.id, holder.id, absentId])
      expect((await world.call(holder, `PUT /api/users/${id}`, { type: 'Global' })).code).toBe('NOT_ALLOWED');
    expect((await read(holder.id)).type).toBe('Technician');
  });

  // Rules: ACCESS-14, ACCESS-15
  test('cannot change, demote, link, unlink or delete a Global user', async () => {
    const path = `/api/users/${globalUser.id}`;
    const before = await read(globalUser.id);
    for (const body of [{ name: 'New' }, { type: 'Admin' }, { customerId: absentId }, {}])
      expect((await world.call(holder, `PUT ${path}`, body)).code).toBe('NOT_ALLOWED');
    for (const tenantId of [tenant.id, absentId])
      expect((await world.call(holder, `POST ${path}/tenants`, { tenantId, persona: 'tenant-admin' })).code).toBe('NOT_ALLOWED');
    expect((await world.call(holder, `DELETE ${path}/tenants/${tenant.id}`)).code).toBe('NOT_ALLOWED');
    expect((await world.call(holder, `DELETE ${path}`)).code).toBe('NOT_ALLOWED');
    expect(await read(globalUser.id)).toEqual(before);
    const { body } = await world.call(world.global, `GET ${path}/tenants`);
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
  const { status, body } = await world.call<User>(world.global, 'POST /api/users', { ...world.newPerson(), type: 'Global' });
  expect(status).toBe(201);
  const path = `/api/users/${body.id}`;
  expect(await world.call(world.global, `PUT ${path}`, { type: 'Admin' })).toMatchObject({ status: 200, body: { type: 'Admin' } });
  expect(await world.call(world.global, `PUT ${path}`, { type: 'Global' })).toMatchObject({ status: 200, body: { type: 'Global' } });
  expect((await world.call(world.global, `DELETE ${path}`)).status).toBe(204);
});
