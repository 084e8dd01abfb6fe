import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { outcome } from '../support/api.ts';
import { absentId, type User } from '../support/records.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World;
beforeAll(async () => (world = await startWorld()));
afterAll(() => world.stop());

const create = (fields: Record<string, unknown> = {}) =>
  world.call<User>(world.global, 'POST /api/users', { ...world.newPerson(), ...fields });
const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const get = (id: string) => world.call<User>(world.global, `GET /api/users/${id}`);
const update = (id: string, body: unknown) => world.call<User>(world.global, `PUT /api/users/${id}`, body);
const remove = (id: string) => world.call(world.global, `DELETE /api/users/${id}`);

describe('POST /api/users', () => {
  // Rules: USERS-1, USERS-6
  test('creates a user with a new identity and returns all fields', async () => {
    const { customerId } = await world.tenant();
    const person = { ...world.newPerson(), type: 'Coordinator', jobTitle: 'Field', customerId };
    const { status, body } = await create(person);
    expect(status).toBe(201);
    const identity = world.identity.users().find(({ email }) => email === person.email);
    const generated = { id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/), idIdentity: identity?.id };
    const stamps = { createdAt: expect.stringMatching(timestamp), updatedAt: body.createdAt };
    expect(body).toEqual({ ...person, ...generated, ...stamps });
    expect((await world.call(world.global, `GET /api/users/${body.id}`)).body).toEqual(body);
  });

  test('sets jobTitle and customerId to null by default', async () => {
    expect((await create()).body).toMatchObject({ jobTitle: null, customerId: null });
    expect((await create({ jobTitle: null, customerId: null })).body).toMatchObject({ jobTitle: null, customerId: null });
  });

  // Rules: USERS-2
  test('stores the e-mail trimmed and in lower case', async () => {
    const { email } = world.newPerson();
    expect((await create({ email: `  ${email.toUpperCase()} ` })).body.email).toBe(email);
  });

  test('accepts an e-mail with 64 characters before the @ and labels of 63', async () => {
    const email = `${randomUUID()}-${'a'.repeat(27)}@${'b'.repeat(63)}.com`;
    expect((await create({ email })).body.email).toBe(email);
  });

  // Rules: USERS-4
  test('ignores idIdentity in the body', async () => {
    expect((await create({ idIdentity: absentId, id: absentId })).body).not.toMatchObject({ idIdentity: absentId });
  });

  test.each(['Admin', 'Coordinator', 'Technician', 'Cooperative', 'Global'])('accepts the type %s', async (type) => {
    expect(await create({ type })).toMatchObject({ status: 201, body: { type } });
  });

  test('answers CUSTOMER_NOT_FOUND for an unknown customer and creates no identity', async () => {
    const person = world.newPerson();
    expect((await create({ ...person, customerId: absentId })).code).toBe('CUSTOMER_NOT_FOUND');
    expect(world.identity.users().some(({ email }) => email === person.email)).toBe(false);
  });

  // Rules: USERS-2, USERS-11
  test('rejects a known e-mail in any case, or a known federalTaxId, with USER_ALREADY_EXISTS and creates no identity', async () => {
    const { body: known } = await create();
    expect((await create({ email: known.email.toUpperCase() })).code).toBe('USER_ALREADY_EXISTS');
    const { email } = world.newPerson();
    expect((await create({ email, federalTaxId: known.federalTaxId })).code).toBe('USER_ALREADY_EXISTS');
    expect(world.identity.users().some((identity) => identity.email === email)).toBe(false);
  });

  test('creates one user and one identity if several creations run at the same time', async () => {
    for (let round = 0; round < 20; round += 1) {
      const person = world.newPerson();
      const answers = await Promise.all([create(person), create(person), create({ ...world.newPerson(), email: person.email })]);
      expect(answers.map(outcome).toSorted()).toEqual([201, 'USER_ALREADY_EXISTS', 'USER_ALREADY_EXISTS']);
      expect(world.identity.users().filter(({ email }) => email === person.email)).toHaveLength(1);
    }
  });
});

describe('GET /api/users/{id}', () => {
  // Rules: USERS-1, USERS-17
  test('returns the user as the creation did', async () => {
    const { body: created } = await create({ jobTitle: 'Field' });
    expect(await get(created.id)).toMatchObject({ status: 200, body: created });
  });
});

describe('PUT /api/users/{id}', () => {
  // Rules: INPUT-3, USERS-18
  test('changes only the sent fields', async () => {
    const { customerId } = await world.tenant();
    const { body: created } = await create({ jobTitle: 'Field' });
    const { email } = world.newPerson();
    const fields = { name: 'Ana Souza', type: 'Admin', customerId };
    const { status, body } = await update(created.id, { ...fields, email: ` ${email.toUpperCase()}` });
    expect(status).toBe(200);
    expect(body).toEqual({ ...created, ...fields, email, updatedAt: expect.stringMatching(timestamp) });
    expect(body.updatedAt > created.updatedAt).toBe(true);
    expect((await get(created.id)).body).toEqual(body);
    expect((await update(created.id, { jobTitle: null, customerId: null })).body).toMatchObject({ jobTitle: null, customerId: null });
  });

  // Rules: IDENTITY-8, USERS-21
  test("does not change the identity's e-mail", async () => {
    const { body: created } = await create();
    await update(created.id, { email: world.newPerson().email });
    expect(world.identity.users().find(({ id }) => id === created.idIdentity)?.email).toBe(created.email);
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

  test('answers CUSTOMER_NOT_FOUND for an unknown customer and changes nothing', async () => {
    expect((await update(absentId, { name: 'Ana' })).code).toBe('USER_NOT_FOUND');
    expect((await update(absentId, {})).code).toBe('USER_NOT_FOUND');
    const { body: created } = await create();
    expect((await update(created.id, { customerId: absentId, name: 'Ana' })).code).toBe('CUSTOMER_NOT_FOUND');
    expect((await get(created.id)).body).toEqual(created);
  });

  // Rules: USERS-20
  test('rejects the e-mail of another user in any case with USER_ALREADY_EXISTS and accepts its own', async () => {
    const [one, other] = [(await create()).body, (await create()).body];
    expect((await update(one.id, { email: other.email.toUpperCase() })).code).toBe('USER_ALREADY_EXISTS');
    expect((await update(one.id, { email: one.email.toUpperCase() })).body.email).toBe(one.email);
  });

  test('gives an e-mail to one of two users who request it at the same time', async () => {
    const [one, other, { email }] = [(await create()).body, (await create()).body, world.newPerson()];
    const answers = await Promise.all([update(one.id, { email }), update(other.id, { email })]);
    expect(answers.map(outcome).toSorted()).toEqual([200, 'USER_ALREADY_EXISTS']);
  });
});

describe('DELETE /api/users/{id}', () => {
  // Rules: RECORDS-5, USERS-22
  test('hides the user everywhere and rejects their token', async () => {
    const tenant = await world.tenant();
    const person = await world.person({ [tenant.id]: 'viewer' });
    expect((await world.call(person, 'GET /api/me/tenants')).status).toBe(200);
    expect((await remove(person.id)).status).toBe(204);
    expect((await world.call(person, 'GET /api/me/tenants')).code).toBe('USER_NOT_PROVISIONED');
    expect((await world.call(world.global, `GET /api/tenants/${tenant.id}/users`)).body).toEqual({ data: [] });
    expect((await world.call(world.global, `GET /api/users?email=${person.email}`)).body).toMatchObject({ data: [], total: 0 });
    const answers = [await get(person.id), await update(person.id, {}), await remove(person.id)];
    expect(answers.map(({ code }) => code)).toEqual(['USER_NOT_FOUND', 'USER_NOT_FOUND', 'USER_NOT_FOUND']);
    expect(await world.sql('select 1 from users where id = $1 and deleted_at is not null', [person.id])).toHaveLength(1);
  });

  // Rules: RECORDS-3
  test('frees e-mail and federalTaxId, for the same person or for two others', async () => {
    const { body: first } = await create();
    await remove(first.id);
    const { body: again, status } = await create({ email: first.email, federalTaxId: first.federalTaxId });
    expect(status).toBe(201);
    expect(again.id).not.toBe(first.id);
    await remove(again.id);
    expect((await create({ email: first.email })).status).toBe(201);
    expect((await create({ federalTaxId: first.federalTaxId })).status).toBe(201);
  });

  // Rules: CUSTOMERS-9, RECORDS-7
  test('keeps the reference to the customer, which cannot be deleted', async () => {
    const { body: customer } = await world.call<{ id: string }>(world.global, 'POST /api/customers', {
      federalTaxId: world.newTaxId(),
      name: 'Central',
    });
    const { body: created } = await create({ customerId: customer.id });
    await remove(created.id);
    expect((await world.call(world.global, `DELETE /api/customers/${customer.id}`)).code).toBe('CUSTOMER_IN_USE');
  });
});
