import { absentId } from '@profile-service/contracts/examples';
import { beforeAll, describe, expect, test } from 'vitest';
import type { User, UserPage } from '../support/records.ts';
import { useWorld } from '../support/world.ts';

/** crud.test.ts tests what all resources have in common, identity-provider.test.ts the calls of the identity provider. */
const world = useWorld();

const create = (fields: Record<string, unknown> = {}) =>
  world.call<User>(world.global, 'POST /api/users', { ...world.newPerson(), ...fields });
const update = (id: string, body: unknown) => world.call<User>(world.global, `PUT /api/users/${id}`, body);
const remove = (id: string) => world.call(world.global, `DELETE /api/users/${id}`);
const hasIdentity = (email: string) => world.identity.users().some((identity) => identity.email === email);

describe('POST /api/users', () => {
  // Rules: USERS-4
  test('ignores id and idIdentity in the body', async () => {
    const { body } = await create({ idIdentity: absentId, id: absentId });
    expect([body.id, body.idIdentity]).not.toContain(absentId);
  });

  // Rules: USERS-2, USERS-11
  test('rejects a known e-mail in any case, or a known federalTaxId, with USER_ALREADY_EXISTS and creates no identity', async () => {
    const { body: known } = await create();
    expect((await create({ email: known.email.toUpperCase() })).code).toBe('USER_ALREADY_EXISTS');
    const { email } = world.newPerson();
    expect((await create({ email, federalTaxId: known.federalTaxId })).code).toBe('USER_ALREADY_EXISTS');
    expect(hasIdentity(email)).toBe(false);
  });
});

describe('GET /api/users', () => {
  let customerId: string;
  beforeAll(async () => {
    customerId = (await world.tenant()).customerId;
    // The identity provider rejects some of these names at creation.
    const named = async (name: string, fields: Record<string, unknown>) => update((await create(fields)).body.id, { name });
    await named('João São Paulo', { type: 'Cooperative', email: 'joao@filter.example' });
    await named('JOANA SAO PEDRO', { type: 'Coordinator', customerId, email: 'joana@filter.example' });
    await named('100% Seguro', { email: 'a_b@filter.example' });
    await named('100 Seguros', { email: 'axb@filter.example', customerId });
    const { body: gone } = await named('João Deleted', { email: 'gone@filter.example' });
    await remove(gone.id);
  });
  const list = async (query: string) => (await world.call<UserPage>(world.global, `GET /api/users?${query}`)).body.data;

  // Rules: USERS-1, USERS-15
  test('lists users with all fields, newest first', async () => {
    const [{ body: first }, { body: second }] = [await create(), await create({ jobTitle: 'Field' })];
    expect(await list('limit=2')).toEqual([second, first]);
  });

  // Rules: RECORDS-5, USERS-16
  test.each([
    ['name=SÃO', ['JOANA SAO PEDRO', 'João São Paulo']],
    [`name=${'são'.normalize('NFD')}`, ['JOANA SAO PEDRO', 'João São Paulo']],
    ['name=joão', ['João São Paulo']],
    ['name=0%25%20s', ['100% Seguro']],
    ['name=100_seg', []],
    ['email=@FILTER.example', ['100 Seguros', '100% Seguro', 'JOANA SAO PEDRO', 'João São Paulo']],
    ['email=a_b@', ['100% Seguro']],
    ['email=%25', []],
    ['type=Cooperative&name=jo', ['João São Paulo']],
    ['customerId=customer', ['100 Seguros', 'JOANA SAO PEDRO']],
    ['customerId=CUSTOMER&type=Coordinator&name=sao&email=joana', ['JOANA SAO PEDRO']],
    [`customerId=${absentId}`, []],
  ])('filters by %s and leaves out deleted users', async (query, found) => {
    const search = query.replace('CUSTOMER', customerId.toUpperCase()).replace('=customer', `=${customerId}`);
    expect((await list(search)).map(({ name }) => name).toSorted()).toEqual(found);
  });
});

describe('PUT /api/users/{id}', () => {
  // Rules: IDENTITY-8, USERS-21
  test("does not change the identity's e-mail", async () => {
    const { body: created } = await create();
    await update(created.id, { email: world.newPerson().email });
    expect(hasIdentity(created.email)).toBe(true);
  });

  // Rules: ACCESS-16
  test('promotes a user with type Global at once, without the identity provider', async () => {
    const person = await world.person();
    expect((await world.call(person, 'GET /api/users')).code).toBe('ACTIVE_TENANT_REQUIRED');
    world.identity.faults.admin = 'refuse';
    expect((await update(person.id, { type: 'Global' })).status).toBe(200);
    world.identity.faults.admin = 'none';
    expect((await world.call(person, 'GET /api/users')).status).toBe(200);
  });

  // Rules: USERS-20
  test('rejects the e-mail of another user in any case with USER_ALREADY_EXISTS and accepts its own', async () => {
    const [one, other] = [(await create()).body, (await create()).body];
    expect((await update(one.id, { email: other.email.toUpperCase() })).code).toBe('USER_ALREADY_EXISTS');
    expect((await update(one.id, { email: one.email.toUpperCase() })).body.email).toBe(one.email);
  });
});

describe('DELETE /api/users/{id}', () => {
  // Rules: RECORDS-5, USERS-22
  test('keeps the row, rejects the token of the user, and every endpoint answers as for an unknown user', async () => {
    const tenant = await world.tenant();
    const person = await world.person({ [tenant.id]: 'viewer' });
    expect((await world.call(person, 'GET /api/me/tenants')).status).toBe(200);
    expect((await remove(person.id)).status).toBe(204);
    expect((await world.call(person, 'GET /api/me/tenants')).code).toBe('USER_NOT_PROVISIONED');
    expect((await world.call(world.global, `GET /api/tenants/${tenant.id}/users`)).body).toEqual({ data: [] });
    expect(await world.sql('select 1 from users where id = $1 and deleted_at is not null', [person.id])).toHaveLength(1);
    const scope = `${tenant.id}/organizations`;
    for (const [target, body] of [
      ['GET /api/users/{id}'],
      ['PUT /api/users/{id}', {}],
      ['DELETE /api/users/{id}'],
      ['GET /api/users/{id}/tenants'],
      ['POST /api/users/{id}/tenants', { tenantId: tenant.id, persona: 'viewer' }],
      [`DELETE /api/users/{id}/tenants/${tenant.id}`],
      [`GET /api/users/{id}/tenants/${scope}`],
      [`PUT /api/users/{id}/tenants/${scope}`, { scope: 'ALL' }],
    ] as [string, object?][])
      expect([target, (await world.call(world.global, target.replace('{id}', person.id), body)).code]).toEqual([target, 'USER_NOT_FOUND']);
  });
});
