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

describe('POST /api/users', () => {
  test('creates a user with a new identity and answers all fields', async () => {
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

  test('jobTitle and customerId are null unless they are given', async () => {
    expect((await create()).body).toMatchObject({ jobTitle: null, customerId: null });
    expect((await create({ jobTitle: null, customerId: null })).body).toMatchObject({ jobTitle: null, customerId: null });
  });

  test('stores the e-mail trimmed and in lower case', async () => {
    const { email } = world.newPerson();
    expect((await create({ email: `  ${email.toUpperCase()} ` })).body.email).toBe(email);
  });

  test('an e-mail may have 64 characters before the @, and host names of 63', async () => {
    const email = `${randomUUID()}-${'a'.repeat(27)}@${'b'.repeat(63)}.com`;
    expect((await create({ email })).body.email).toBe(email);
  });

  test('derives idIdentity: one in the body counts for nothing', async () => {
    expect((await create({ idIdentity: absentId, id: absentId })).body).not.toMatchObject({ idIdentity: absentId });
  });

  test.each(['Admin', 'Coordinator', 'Technician', 'Cooperative', 'Global'])('takes the type %s', async (type) => {
    expect(await create({ type })).toMatchObject({ status: 201, body: { type } });
  });

  test.each([
    ['name', undefined],
    ['name', ''],
    ['name', 'x'.repeat(256)],
    ['email', undefined],
    ['email', 'ana.example.com'],
    ['email', `ana@${'example.'.repeat(32)}com`],
    ['email', `${'a'.repeat(65)}@example.com`],
    ['email', `ana@${'a'.repeat(64)}.com`],
    ['email', 'ana@example-.com'],
    ['federalTaxId', undefined],
    ['federalTaxId', '5299822472'],
    ['federalTaxId', '529982247250'],
    ['federalTaxId', '52998224735'],
    ['federalTaxId', '52998224726'],
    ['federalTaxId', '529.982.247-25'],
    ['federalTaxId', '11111111111'],
    ['federalTaxId', 52998224725],
    ['type', undefined],
    ['type', 'admin'],
    ['jobTitle', 7],
    ['customerId', '7'],
  ])('refuses a wrong %s: %o', async (path, value) => {
    const { status, body } = await create({ [path]: value });
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: 'VALIDATION_FAILED', errors: [{ path }] });
  });

  test('404 CUSTOMER_NOT_FOUND, and no identity is made', async () => {
    const person = world.newPerson();
    expect((await create({ ...person, customerId: absentId })).code).toBe('CUSTOMER_NOT_FOUND');
    expect(world.identity.users().some(({ email }) => email === person.email)).toBe(false);
  });

  test('409 USER_ALREADY_EXISTS for a known e-mail in any case, or a known federalTaxId; no identity is made', async () => {
    const { body: known } = await create();
    expect((await create({ email: known.email.toUpperCase() })).code).toBe('USER_ALREADY_EXISTS');
    const { email } = world.newPerson();
    expect((await create({ email, federalTaxId: known.federalTaxId })).code).toBe('USER_ALREADY_EXISTS');
    expect(world.identity.users().some((identity) => identity.email === email)).toBe(false);
  });

  test('of two at once one is created and the other is 409 USER_ALREADY_EXISTS, with one identity', async () => {
    for (let round = 0; round < 20; round += 1) {
      const person = world.newPerson();
      const answers = await Promise.all([create(person), create(person), create({ ...world.newPerson(), email: person.email })]);
      expect(answers.map(outcome).toSorted()).toEqual([201, 'USER_ALREADY_EXISTS', 'USER_ALREADY_EXISTS']);
      expect(world.identity.users().filter(({ email }) => email === person.email)).toHaveLength(1);
    }
  });
});
