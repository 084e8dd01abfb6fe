import { type Input, newCity, newState, praca, smallestChanges } from '@profile-service/contracts/examples';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiResponse, type Api, createApi, outcome } from '../support/api.ts';
import { organizationOf } from '../support/organizations.ts';
import type { Fixture } from '../endpoints/fixture-types.ts';
import { startFixture } from '../endpoints/fixture.ts';
import type { World } from '../support/world.ts';
import { allFields, type CrudResource, crudResources } from './crud-resources.ts';

/** What the resources have in common: creation, reading, partial update, deletion and unique fields. */
let fixture: Fixture;
let world: World;
/** An instance with enough connections for 16 requests at the same time. */
let concurrent: Api;
beforeAll(async () => {
  fixture = await startFixture();
  ({ world } = fixture);
  concurrent = createApi((await world.another({ DATABASE_POOL_MAX: '32' })).url);
});
afterAll(() => world.stop());

const call = (target: string, body?: unknown): Promise<ApiResponse<Input>> => world.call(world.global, target, body);
const newBody = (resource: CrudResource): Promise<Input> => allFields(resource, fixture);
const without = (record: Input, fields: string[] = []) =>
  Object.fromEntries(Object.entries(record).filter(([field]) => !fields.includes(field)));

const withoutTime = (record: Input) => without(record, ['updatedAt']);

/** Creates a record and reads it. Returns its path, the response to POST, and the record. */
async function created({ path, key }: CrudResource, body: Input) {
  const answer = await call(`POST ${path}`, body);
  expect(answer).toMatchObject({ status: 201 });
  const own = `${path}/${String(answer.body[key])}`;
  const { status, body: record } = await call(`GET ${own}`);
  expect(status).toBe(200);
  return { path: own, answer, record };
}

describe.each(crudResources)('$path', (resource) => {
  const {
    path,
    generated,
    record: { nullable = {}, defaults = {}, requestOnly, absentAfterPost },
  } = resource;

  // Rules: ADDRESSES-8, ADDRESSES-15, APPS-1, APPS-4, CITIES-1, CITIES-7, CONTACTS-1, CONTACTS-10, CUSTOMERS-2, CUSTOMERS-3, CUSTOMERS-6
  // Rules: DOCTYPES-1, DOCTYPES-6, LIMITS-1, ORGANIZATIONS-1, ORGANIZATIONS-11, STATES-1, STATES-5, TENANTS-1, USERS-1, USERS-6, USERS-17
  test('creates a record with all fields, returns it, and accepts fields up to their limits', async () => {
    const sent = await newBody(resource);
    const { answer, record } = await created(resource, sent);
    expect(record).toEqual({ ...without(sent, requestOnly), ...generated });
    expect(answer.body).toEqual(without(record, absentAfterPost));
  });

  // Rules: ADDRESSES-9, DOCTYPES-1, ORGANIZATIONS-4
  test('sets the default of an optional field that is absent or null', async () => {
    for (const nulls of [{}, Object.fromEntries(Object.keys(nullable).map((field) => [field, null]))]) {
      const required = await resource.create.valid(fixture);
      const { record } = await created(resource, { ...required, ...nulls });
      expect(record).toEqual({ ...without(required, requestOnly), ...nullable, ...defaults, ...generated });
    }
  });

  // Rules: ADDRESSES-16, APPS-5, CITIES-8, CONTACTS-11, CUSTOMERS-7, DOCTYPES-7, INPUT-3, ORGANIZATIONS-12, STATES-6, TENANTS-6, USERS-18
  test('changes only the sent fields, also to null', async () => {
    const { path: own, record } = await created(resource, await resource.create.valid(fixture));
    const changes = (await smallestChanges(resource.update, fixture)).map((sent) => ({ sent, changed: sent }));
    const nulls = Object.entries(nullable).map(([field, value]) => ({ sent: { [field]: null }, changed: { [field]: value } }));
    let expected = record;
    for (const { sent, changed } of [...changes, ...nulls]) {
      const { status, body } = await call(`PUT ${own}`, sent);
      expected = { ...expected, ...changed };
      expect({ status, body: withoutTime(body) }).toEqual({ status: 200, body: withoutTime(expected) });
    }
    expect(withoutTime((await call(`GET ${own}`)).body)).toEqual(withoutTime(expected));
  });

  // Rules: INPUT-4
  test('ignores fields that cannot be changed', async () => {
    const { path: own, record } = await created(resource, await newBody(resource));
    const { status, body } = await call(`PUT ${own}`, resource.update.fixed);
    expect({ status, body: withoutTime(body) }).toEqual({ status: 200, body: withoutTime(record) });
  });

  // Rules: APPS-6, CITIES-9, CONTACTS-12, CUSTOMERS-8, DOCTYPES-10, RECORDS-3, RECORDS-6, STATES-7
  test('deletes a record, and its unique values can be used again', async () => {
    const sent = await newBody(resource);
    const { path: own } = await created(resource, sent);
    expect(await call(`DELETE ${own}`)).toMatchObject({ status: 204, body: undefined });
    expect((await call(`GET ${own}`)).status).toBe(404);
    expect((await call(`POST ${path}`, sent)).status).toBe(201);
  });
});

test.each(crudResources.filter(({ generated }) => 'updatedAt' in generated))('PUT $path changes updatedAt', async (resource) => {
  const { path, record } = await created(resource, await newBody(resource));
  const [change] = await smallestChanges(resource.update, fixture);
  const { body } = await call(`PUT ${path}`, change);
  expect(Date.parse(body['updatedAt'] as string)).toBeGreaterThan(Date.parse(record['updatedAt'] as string));
});

const uniqueFields = crudResources.flatMap((resource) =>
  resource.unique.fields.map((field) => ({ ...resource, code: resource.unique.code, field })),
);

describe.each(uniqueFields)('$path answers $code for a known $field', ({ field, code, ...resource }) => {
  const { path } = resource;

  // Rules: APPS-2, CITIES-3, CUSTOMERS-4, DOCTYPES-2, ORGANIZATIONS-5, RECORDS-4, STATES-2, TENANTS-3, USERS-11
  test('to all but one of 16 creations at the same time', async () => {
    const first = await newBody(resource);
    // Half of them send the same record, the others share only this field.
    const bodies = await Promise.all(
      Array.from({ length: 16 }, async (_, index) => (index % 2 ? first : { ...(await newBody(resource)), [field]: first[field] })),
    );
    const answers = await Promise.all(bodies.map((body) => concurrent.call(world.global, `POST ${path}`, body)));
    expect(answers.map(outcome).toSorted()).toEqual([201, ...Array.from({ length: 15 }, () => code)]);
  });

  if (field in (resource.update.fixed ?? {})) return;
  // Rules: APPS-2, CITIES-3, DOCTYPES-2, STATES-2, TENANTS-3, USERS-20
  test('to an update with the value of another record, and accepts the own value', async () => {
    const [one, other] = [await created(resource, await newBody(resource)), await created(resource, await newBody(resource))];
    expect(await call(`PUT ${one.path}`, { [field]: other.record[field] })).toMatchObject({ status: 409, code });
    expect((await call(`GET ${one.path}`)).body).toEqual(one.record);
    expect((await call(`PUT ${one.path}`, { [field]: one.record[field] })).status).toBe(200);
  });
});

describe('DELETE of a record in use', () => {
  /** A new customer with a user. */
  async function customerOfUser({ isDeleted }: { isDeleted: boolean }): Promise<string> {
    const { id: customerId } = await world.create<{ id: string }>('POST /api/customers', {
      federalTaxId: world.newTaxId(),
      name: 'Central',
    });
    const user = await world.person({}, { customerId });
    if (isDeleted) await call(`DELETE /api/users/${user.id}`);
    return customerId;
  }
  /** A new state with a new city, in which an organization has its address. */
  async function placeOfOrganization({ isDeleted }: { isDeleted: boolean }) {
    const { stateCode } = await world.create<{ stateCode: number }>('POST /api/states', newState());
    const { ibgeCode: cityCode } = await world.create<{ ibgeCode: number }>('POST /api/cities', { ...newCity(), stateCode });
    const { id } = await organizationOf(world, undefined, { address: { ...praca, stateCode, cityCode } });
    if (isDeleted) await call(`DELETE /api/organizations/${id}`);
    return { stateCode, cityCode };
  }

  // Rules: APPS-7, CITIES-10, CUSTOMERS-9, RECORDS-7, STATES-8
  test.each<[path: string, code: string, user: string, keyOfUsed: () => Promise<unknown>]>([
    ['/api/apps', 'APP_IN_USE', 'a tenant', async () => (await world.tenant()).appId],
    ['/api/customers', 'CUSTOMER_IN_USE', 'a tenant', async () => (await world.tenant()).customerId],
    ['/api/customers', 'CUSTOMER_IN_USE', 'a user', () => customerOfUser({ isDeleted: false })],
    ['/api/customers', 'CUSTOMER_IN_USE', 'a deleted user', () => customerOfUser({ isDeleted: true })],
    ['/api/cities', 'CITY_IN_USE', 'an address', async () => (await placeOfOrganization({ isDeleted: false })).cityCode],
    [
      '/api/cities',
      'CITY_IN_USE',
      'an address of a deleted organization',
      async () => (await placeOfOrganization({ isDeleted: true })).cityCode,
    ],
    ['/api/states', 'STATE_IN_USE', 'a city with an address', async () => (await placeOfOrganization({ isDeleted: true })).stateCode],
  ])('%s answers %s while %s refers to the record', async (path, code, _user, keyOfUsed) => {
    const target = `${path}/${String(await keyOfUsed())}`;
    expect(await call(`DELETE ${target}`)).toMatchObject({ status: 409, code });
    expect((await call(`GET ${target}`)).status).toBe(200);
  });
});

// Rules: USERS-2
test.each(crudResources.filter(({ path }) => ['/api/users', '/api/customers'].includes(path)))(
  '$path stores an e-mail address trimmed and in lower case',
  async (resource) => {
    const [first, second] = [world.newPerson().email, world.newPerson().email];
    const { path, record } = await created(resource, { ...(await newBody(resource)), email: ` ${first.toUpperCase()} ` });
    expect(record['email']).toBe(first);
    expect((await call(`PUT ${path}`, { email: ` ${second.toUpperCase()} ` })).body['email']).toBe(second);
  },
);
