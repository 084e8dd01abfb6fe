import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { linkedOrganization, restrict } from '../support/organizations.ts';
import { absentId, type Tenant } from '../support/records.ts';
import { rpt } from '../support/rpt.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World;
let owner: { customerId: string; appId: string };
beforeAll(async () => {
  world = await startWorld();
  const { customerId, appId } = await world.tenant();
  owner = { customerId, appId };
});
afterAll(() => world.stop());

let counter = 0;
const newClient = () => `tenant-client-${(counter += 1)}`;
const create = (fields: Record<string, unknown> = {}) =>
  world.call<Tenant>(world.global, 'POST /api/tenants', { ...owner, name: 'South', ...fields });
const get = (id: string, actor = world.global) => world.call<Tenant>(actor, `GET /api/tenants/${id}`);
const update = (id: string, body: unknown) => world.call<Tenant>(world.global, `PUT /api/tenants/${id}`, body);
const remove = (id: string) => world.call(world.global, `DELETE /api/tenants/${id}`);

describe('POST /api/tenants', () => {
  // Rules: TENANTS-1
  test('creates a tenant and returns exactly the fields of its 201 response', async () => {
    const metadata = { region: 'south', snake_case: { camelCase: [1, { deep_key: null }] } };
    const fields = { name: 'North', active: false, metadata, allowedScopes: ['profile:read', 'profile:write'] };
    const { status, body } = await create({ ...fields, identityClientId: newClient() });
    expect(status).toBe(201);
    expect(body).toEqual({ id: expect.any(String), ...owner, ...fields });
  });

  test('creates an active tenant without metadata, client and scopes by default', async () => {
    const absent = { active: true, metadata: null, identityClientId: null, allowedScopes: null };
    const { body: bare } = await create();
    expect((await get(bare.id)).body).toEqual({ id: bare.id, ...owner, name: 'South', ...absent });
    const { body: nulled } = await create({ metadata: null, identityClientId: null, allowedScopes: null });
    expect((await get(nulled.id)).body).toMatchObject(absent);
  });

  test('checks the references before the client', async () => {
    const identityClientId = newClient();
    await create({ identityClientId });
    expect((await create({ identityClientId, customerId: absentId })).code).toBe('CUSTOMER_NOT_FOUND');
    expect((await create({ identityClientId, appId: absentId })).code).toBe('APP_NOT_FOUND');
  });

  // Rules: TENANTS-3
  test('rejects a client in use with IDENTITY_CLIENT_ALREADY_LINKED, also for two creations at the same time', async () => {
    const identityClientId = newClient();
    const answers = await Promise.all([create({ identityClientId }), create({ identityClientId })]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409]);
    expect((await create({ identityClientId })).code).toBe('IDENTITY_CLIENT_ALREADY_LINKED');
  });
});

describe('GET /api/tenants', () => {
  // Rules: TENANTS-4
  test('lists all tenants with all fields, newest first', async () => {
    const first = await get((await create({ identityClientId: newClient(), metadata: { a: 1 } })).body.id);
    const second = await get((await create()).body.id);
    const { status, body } = await world.call<{ data: Tenant[] }>(world.global, 'GET /api/tenants?limit=2');
    expect(status).toBe(200);
    expect(body.data).toEqual([second.body, first.body]);
  });
});

describe('GET /api/tenants/{id}', () => {
  // Rules: ACCESS-12, TENANTS-5
  test.each(['tenant-admin', 'coordinator', 'technician', 'viewer'] as const)('returns only the active tenant to a %s', async (persona) => {
    const [own, second, foreign] = [await world.tenant(), await world.tenant(), await world.tenant()];
    const person = await world.person({ [own.id]: persona, [second.id]: persona });
    const actor = { ...person, tenant: own.id };
    const { status, body } = await get(own.id, actor);
    expect(status).toBe(200);
    expect(body).toEqual((await get(own.id)).body);
    for (const other of [second.id, foreign.id, absentId]) expect((await get(other, actor)).code).toBe('TENANT_NOT_FOUND');
  });

  // Rules: ACCESS-13
  test.each([
    ['the exception role', { roles: ['tenants:read'] }],
    ['super_admin', { roles: ['super_admin'] }],
    ['an RPT permission', { claims: rpt('resource:tenants_id', ['read']) }],
  ])('returns other tenants to a caller with %s', async (_, token) => {
    const [own, other] = [await world.tenant(), await world.tenant()];
    const person = await world.person({ [own.id]: 'viewer' }, token);
    expect((await get(other.id, person)).status).toBe(200);
    expect((await get(absentId, person)).code).toBe('TENANT_NOT_FOUND');
  });
});

describe('PUT /api/tenants/{id}', () => {
  // Rules: TENANTS-6
  test('changes only the sent fields and never customer or app', async () => {
    const { body: created } = await create({ identityClientId: newClient(), metadata: { a: 1 }, active: false });
    const fields = { name: 'East', identityClientId: newClient(), allowedScopes: ['profile:read'] };
    const other = await world.tenant();
    const { status, body } = await update(created.id, { ...fields, customerId: other.customerId, appId: 'no uuid' });
    expect(status).toBe(200);
    expect(body).toEqual({ ...created, ...fields });
    expect((await get(created.id)).body).toEqual(body);
  });

  test('accepts null for nullable fields, and the whole record as it was returned', async () => {
    const { body: created } = await create({ identityClientId: newClient(), metadata: { a: 1 }, allowedScopes: [] });
    const { body: read } = await get(created.id);
    expect(await update(created.id, read)).toMatchObject({ status: 200, body: read });
    const nothing = { metadata: null, identityClientId: null, allowedScopes: null };
    expect((await update(created.id, nothing)).body).toEqual({ ...read, ...nothing });
  });

  // Rules: TENANTS-3
  test('rejects the client of another tenant with IDENTITY_CLIENT_ALREADY_LINKED', async () => {
    const [one, other] = [await world.tenant(), await world.tenant()];
    expect((await update(one.id, { identityClientId: other.clientId })).code).toBe('IDENTITY_CLIENT_ALREADY_LINKED');
    expect((await get(one.id)).body.identityClientId).toBe(one.clientId);
    expect((await update(one.id, { identityClientId: one.clientId })).status).toBe(200);
  });
});

describe('DELETE /api/tenants/{id}', () => {
  // Rules: TENANTS-7
  test('deletes the tenant with its memberships, scopes and links and frees client, customer and app', async () => {
    const tenant = await world.tenant();
    const person = await world.person({ [tenant.id]: 'technician' });
    const organizationId = await linkedOrganization(world, tenant.id);
    await restrict(world, person.id, tenant.id, [organizationId]);
    expect((await remove(tenant.id)).status).toBe(204);
    expect((await get(tenant.id)).status).toBe(404);
    expect((await world.call(world.global, `GET /api/users/${person.id}/tenants`)).body).toEqual({ data: [] });
    for (const table of ['memberships', 'membership_organizations', 'organization_tenants'])
      expect(await world.sql(`select 1 from ${table} where tenant_id = $1`, [tenant.id])).toEqual([]);
    expect(await world.sql('select 1 from organizations where id = $1', [organizationId])).toHaveLength(1);
    expect((await create({ identityClientId: tenant.clientId })).status).toBe(201);
    expect((await world.call(world.global, `DELETE /api/customers/${tenant.customerId}`)).status).toBe(204);
  });

  // Rules: TENANTS-8
  test('keeps the files of the tenant', async () => {
    const [tenant, id] = [await world.tenant(), randomUUID()];
    const { id: userId } = await world.person();
    const columns = 'id, file_path, original_filename, user_id, tenant_id, content_type, size';
    await world.sql(`insert into attachments (${columns}) values ($1, $2, 'a.pdf', $3, $4, 'application/pdf', 1)`, [
      id,
      id,
      userId,
      tenant.id,
    ]);
    expect((await remove(tenant.id)).status).toBe(204);
    expect(await world.sql('select tenant_id, deleted_at from attachments where id = $1', [id])).toEqual([
      { tenant_id: null, deleted_at: null },
    ]);
  });
});
