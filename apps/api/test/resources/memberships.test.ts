import { absentId } from '@profile-service/contracts/examples';
import { describe, expect, test } from 'vitest';
import { linkedOrganization, restrict } from '../support/organizations.ts';
import type { Tenant } from '../support/people.ts';
import type { MembershipList, Permissions } from '../support/records.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

const list = (userId: string) => world.call<MembershipList>(world.global, `GET /api/users/${userId}/tenants`);
const assign = (userId: string, body: unknown) => world.call(world.global, `POST /api/users/${userId}/tenants`, body);
const end = (userId: string, tenantId: string) => world.call(world.global, `DELETE /api/users/${userId}/tenants/${tenantId}`);

describe('GET /api/users/{userId}/tenants', () => {
  // Rules: MEMBERS-2, MEMBERS-4
  test('lists all tenants of the user, newest first, also inactive ones and one without persona', async () => {
    const [one, off, old] = [await world.tenant(), await world.tenant({ active: false }), await world.tenant()];
    const { id } = await world.person({ [one.id]: 'viewer', [off.id]: 'tenant-admin', [old.id]: 'viewer' });
    await world.sql('update memberships set persona = null where tenant_id = $1', [old.id]);
    const { status, body } = await list(id);
    expect(status).toBe(200);
    const item = ({ clientId: name, service: _, ...tenant }: Tenant) => ({ ...tenant, name });
    expect(body).toEqual({
      data: [
        { ...item(old), active: true, persona: null },
        { ...item(off), active: false, persona: 'tenant-admin' },
        { ...item(one), active: true, persona: 'viewer' },
      ],
    });
  });
});

describe('POST /api/users/{userId}/tenants', () => {
  // Rules: MEMBERS-6
  test.each(['tenant-admin', 'coordinator', 'technician', 'viewer'])('links a user as %s and returns both ids', async (persona) => {
    const [{ id: userId }, { id: tenantId }] = [await world.person(), await world.tenant()];
    const { status, body } = await assign(userId, { tenantId, persona });
    expect(status).toBe(201);
    expect(body).toEqual({ userId, tenantId });
    expect((await list(userId)).body.data).toMatchObject([{ id: tenantId, persona }]);
  });

  // Rules: MEMBERS-1, MEMBERS-7
  test('updates the persona of an existing link, also of one without persona, and keeps its organization scope', async () => {
    const tenant = await world.tenant();
    const person = await world.person({ [tenant.id]: 'viewer' });
    await restrict(world, person.id, tenant.id, [await linkedOrganization(world, tenant.id)]);
    await world.sql('update memberships set persona = null where tenant_id = $1', [tenant.id]);
    expect((await assign(person.id, { tenantId: tenant.id, persona: 'coordinator' })).status).toBe(201);
    expect((await list(person.id)).body.data).toMatchObject([{ id: tenant.id, persona: 'coordinator' }]);
    expect((await world.call<Permissions>(person, 'GET /api/me/permissions')).body.organizationScope).toBe('RESTRICTED');
  });
});

describe('DELETE /api/users/{userId}/tenants/{tenantId}', () => {
  // Rules: MEMBERS-9
  test('ends the membership and succeeds again', async () => {
    const [tenant, kept] = [await world.tenant(), await world.tenant()];
    const { id } = await world.person({ [tenant.id]: 'viewer', [kept.id]: 'viewer' });
    expect((await end(id, tenant.id)).status).toBe(204);
    expect((await list(id)).body.data.map((item) => item.id)).toEqual([kept.id]);
    expect((await end(id, tenant.id)).status).toBe(204);
    expect((await end(id, absentId)).status).toBe(204);
  });

  // Rules: MEMBERS-10, MEMBERSCOPES-2
  test('deletes scope and grants, so that a new membership has scope ALL', async () => {
    const tenant = await world.tenant();
    const person = await world.person({ [tenant.id]: 'viewer' });
    await restrict(world, person.id, tenant.id, [await linkedOrganization(world, tenant.id)]);
    await end(person.id, tenant.id);
    expect(await world.sql('select 1 from membership_organizations where user_id = $1', [person.id])).toEqual([]);
    await assign(person.id, { tenantId: tenant.id, persona: 'viewer' });
    const { body } = await world.call<Permissions>(person, 'GET /api/me/permissions');
    expect(body).toMatchObject({ tenantId: tenant.id, organizationScope: 'TENANT', allowedOrganizationIds: null });
  });
});

describe('GET /api/tenants/{tenantId}/users', () => {
  // Rules: MEMBERS-11
  test('lists the users of the tenant with their personas, newest first, without deleted ones', async () => {
    const [tenant, other] = [await world.tenant({ active: false }), await world.tenant()];
    const first = await world.person({ [tenant.id]: 'viewer', [other.id]: 'tenant-admin' }, { type: 'Admin' });
    const old = await world.person({ [tenant.id]: 'viewer' });
    const gone = await world.person({ [tenant.id]: 'viewer' });
    await world.sql('update memberships set persona = null where user_id = $1', [old.id]);
    await world.call(world.global, `PUT /api/users/${first.id}`, { name: 'Ana', jobTitle: 'Field' });
    await world.call(world.global, `DELETE /api/users/${gone.id}`);
    const { status, body } = await world.call(world.global, `GET /api/tenants/${tenant.id}/users`);
    expect(status).toBe(200);
    expect(body).toEqual({
      data: [
        { id: old.id, name: expect.any(String), email: old.email, type: 'Technician', jobTitle: null, persona: null },
        { id: first.id, name: 'Ana', email: first.email, type: 'Admin', jobTitle: 'Field', persona: 'viewer' },
      ],
    });
  });
});
