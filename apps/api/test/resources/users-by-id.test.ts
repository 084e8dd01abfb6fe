import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { outcome } from '../support/api.ts';
import { absentId, type User } from '../support/records.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World;
beforeAll(async () => (world = await startWorld()));
afterAll(() => world.stop());

const create = (fields: Record<string, unknown> = {}) =>
  world.call<User>(world.global, 'POST /api/users', { ...world.newPerson(), ...fields });
const get = (id: string) => world.call<User>(world.global, `GET /api/users/${id}`);
const update = (id: string, body: unknown) => world.call<User>(world.global, `PUT /api/users/${id}`, body);
const remove = (id: string) => world.call(world.global, `DELETE /api/users/${id}`);
const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe('GET /api/users/{id}', () => {
  test('gives the user, as the creation answered them', async () => {
    const { body: created } = await create({ jobTitle: 'Field' });
    expect(await get(created.id)).toMatchObject({ status: 200, body: created });
  });

  test('400 for an id that is no uuid', async () => {
    expect((await get('7')).body).toMatchObject({ code: 'VALIDATION_FAILED', errors: [{ path: 'id' }] });
  });

  test('404 USER_NOT_FOUND', async () => {
    expect((await get(absentId)).code).toBe('USER_NOT_FOUND');
  });
});

describe('PUT /api/users/{id}', () => {
  test('changes what is sent and nothing else', async () => {
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

  test('ignores what it does not change, right or wrong: a client may send back the record', async () => {
    const { body: created } = await create();
    const { status, body } = await update(created.id, { ...created, jobTitle: 'New', federalTaxId: 'wrong', idIdentity: 7, id: absentId });
    expect(status).toBe(200);
    expect(body).toEqual({ ...created, jobTitle: 'New', updatedAt: body.updatedAt });
  });

  test('an empty body changes nothing', async () => {
    const { body: created } = await create();
    expect(await update(created.id, {})).toMatchObject({ status: 200, body: created });
  });

  test("leaves the identity's e-mail as it is", async () => {
    const { body: created } = await create();
    await update(created.id, { email: world.newPerson().email });
    expect(world.identity.users().find(({ id }) => id === created.idIdentity)?.email).toBe(created.email);
  });

  test('setting type to Global promotes at once, and needs nothing from the identity provider', async () => {
    const person = await world.person();
    expect((await world.call(person, 'GET /api/users')).code).toBe('ACTIVE_TENANT_REQUIRED');
    world.identity.faults.admin = 'refuse';
    expect((await update(person.id, { type: 'Global' })).status).toBe(200);
    world.identity.faults.admin = 'none';
    expect((await world.call(person, 'GET /api/users')).status).toBe(200);
  });

  test.each([
    ['name', ''],
    ['name', null],
    ['email', 'no mail'],
    ['type', 'Root'],
    ['jobTitle', 7],
    ['customerId', '7'],
  ])('refuses a wrong %s: %o', async (path, value) => {
    const { id } = (await create()).body;
    expect((await update(id, { [path]: value })).body).toMatchObject({ code: 'VALIDATION_FAILED', errors: [{ path }] });
  });

  test('404 USER_NOT_FOUND, 404 CUSTOMER_NOT_FOUND', async () => {
    expect((await update(absentId, { name: 'Ana' })).code).toBe('USER_NOT_FOUND');
    expect((await update(absentId, {})).code).toBe('USER_NOT_FOUND');
    const { body: created } = await create();
    expect((await update(created.id, { customerId: absentId, name: 'Ana' })).code).toBe('CUSTOMER_NOT_FOUND');
    expect((await get(created.id)).body).toEqual(created);
  });

  test("409 USER_ALREADY_EXISTS for another user's e-mail in any case; its own is taken", async () => {
    const [one, other] = [(await create()).body, (await create()).body];
    expect((await update(one.id, { email: other.email.toUpperCase() })).code).toBe('USER_ALREADY_EXISTS');
    expect((await update(one.id, { email: one.email.toUpperCase() })).body.email).toBe(one.email);
  });

  test('of two that want one e-mail at once one gets it', async () => {
    const [one, other, { email }] = [(await create()).body, (await create()).body, world.newPerson()];
    const answers = await Promise.all([update(one.id, { email }), update(other.id, { email })]);
    expect(answers.map(outcome).toSorted()).toEqual([200, 'USER_ALREADY_EXISTS']);
  });
});

describe('DELETE /api/users/{id}', () => {
  test('takes the user out of everybody’s sight and shuts their token out', async () => {
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

  test('frees e-mail and federalTaxId: for the same person, or for two others', async () => {
    const { body: first } = await create();
    await remove(first.id);
    const { body: again, status } = await create({ email: first.email, federalTaxId: first.federalTaxId });
    expect(status).toBe(201);
    expect(again.id).not.toBe(first.id);
    await remove(again.id);
    expect((await create({ email: first.email })).status).toBe(201);
    expect((await create({ federalTaxId: first.federalTaxId })).status).toBe(201);
  });

  test('a customer to which a deleted user still points cannot be deleted', async () => {
    const { body: customer } = await world.call<{ id: string }>(world.global, 'POST /api/customers', {
      federalTaxId: world.newTaxId(),
      name: 'Central',
    });
    const { body: created } = await create({ customerId: customer.id });
    await remove(created.id);
    expect((await world.call(world.global, `DELETE /api/customers/${customer.id}`)).code).toBe('CUSTOMER_IN_USE');
  });

  test('404 USER_NOT_FOUND; of two at once one deletes', async () => {
    expect((await remove(absentId)).code).toBe('USER_NOT_FOUND');
    const { id } = (await create()).body;
    const answers = await Promise.all([remove(id), remove(id)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 404]);
  });
});
