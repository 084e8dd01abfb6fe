import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startWorld, type World } from '../support/world.ts';

interface Customer {
  id: string;
  federalTaxId: string;
  name: string;
  active: boolean;
}

let world: World;
beforeAll(async () => (world = await startWorld()));
afterAll(() => world.stop());

const create = (body: Record<string, unknown> = {}) =>
  world.call<Customer>(world.global, 'POST /api/customers', { federalTaxId: world.newTaxId(), name: 'Central', ...body });

describe('POST /api/customers', () => {
  // Rules: CUSTOMERS-2
  test('creates a customer and returns exactly the fields of its 201 response', async () => {
    const federalTaxId = world.newTaxId();
    const body = { federalTaxId, name: 'Central', alias: 'C', email: ' Contato@Example.com ', phone: '11 5555', logoPath: 'logo.png' };
    const { status, body: customer } = await create(body);
    expect(status).toBe(201);
    expect(customer).toEqual({
      id: expect.any(String),
      federalTaxId,
      name: 'Central',
      alias: 'C',
      email: 'contato@example.com',
      phone: '11 5555',
      active: true,
    });
  });

  test('creates an active customer without the optional fields by default', async () => {
    const nothing = { alias: null, email: null, phone: null };
    expect((await create()).body).toMatchObject({ ...nothing, active: true });
    expect((await create({ ...nothing, logoPath: null, active: false })).body).toMatchObject({ ...nothing, active: false });
  });

  // Rules: CUSTOMERS-3
  test.each([11, 14])('accepts a federalTaxId of %i characters', async (length) => {
    const { status } = await create({ federalTaxId: world.newTaxId().padEnd(14, 'X').slice(-length) });
    expect(status).toBe(201);
  });

  // Rules: CUSTOMERS-4, RECORDS-4
  test('rejects a known federalTaxId with CUSTOMER_ALREADY_EXISTS, also for two creations at the same time', async () => {
    const federalTaxId = world.newTaxId();
    const answers = await Promise.all([create({ federalTaxId }), create({ federalTaxId })]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409]);
    expect(answers.find(({ status }) => status === 409)?.code).toBe('CUSTOMER_ALREADY_EXISTS');
  });
});

describe('GET /api/customers/{id}', () => {
  // Rules: CUSTOMERS-6
  test('returns the customer with its logoPath', async () => {
    const { body: created } = await create({ logoPath: 'logo.png' });
    const { status, body } = await world.call(world.global, `GET /api/customers/${created.id}`);
    expect(status).toBe(200);
    expect(body).toEqual({ ...created, logoPath: 'logo.png' });
  });
});

describe('PUT /api/customers/{id}', () => {
  const update = (id: string, body: unknown) => world.call<Customer>(world.global, `PUT /api/customers/${id}`, body);

  // Rules: CUSTOMERS-7
  test('changes only the sent fields and never the federalTaxId', async () => {
    const { body: created } = await create({ active: false, alias: 'C' });
    const { status, body } = await update(created.id, { name: 'South', alias: null, federalTaxId: '99999999999999' });
    expect(status).toBe(200);
    expect(body).toEqual({ ...created, name: 'South', alias: null, logoPath: null });
  });

  test('changes every other field, also to null', async () => {
    const { body: created } = await create({ email: 'a@example.com', phone: '11', logoPath: 'a.png' });
    const fields = { name: 'West', alias: 'W', email: 'b@example.com', phone: '22', logoPath: 'b.png', active: false };
    expect((await update(created.id, fields)).body).toEqual({ ...created, ...fields });
    const nothing = { alias: null, email: null, phone: null, logoPath: null };
    expect((await update(created.id, nothing)).body).toEqual({ ...created, ...fields, ...nothing });
  });
});

describe('DELETE /api/customers/{id}', () => {
  const remove = (id: string) => world.call(world.global, `DELETE /api/customers/${id}`);

  // Rules: CUSTOMERS-8, RECORDS-6
  test('deletes the customer and frees its federalTaxId', async () => {
    const { body: created } = await create();
    expect((await remove(created.id)).status).toBe(204);
    expect((await world.call(world.global, `GET /api/customers/${created.id}`)).status).toBe(404);
    expect((await create({ federalTaxId: created.federalTaxId })).status).toBe(201);
  });

  // Rules: CUSTOMERS-9
  test('rejects the deletion with CUSTOMER_IN_USE while a tenant or a user references the customer', async () => {
    const { customerId } = await world.tenant();
    expect((await remove(customerId)).code).toBe('CUSTOMER_IN_USE');
    const { body: other } = await create();
    await world.person({}, { customerId: other.id });
    expect((await remove(other.id)).code).toBe('CUSTOMER_IN_USE');
  });
});
