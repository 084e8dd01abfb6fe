import {
  exampleOf,
  examples,
  type Generated,
  type Input,
  newCity,
  newState,
  praca,
  smallestChanges,
} from '@profile-service/contracts/examples';
import { beforeAll, describe, expect, test } from 'vitest';
import { useFixture } from '../endpoints/fixture.ts';
import { type Api, type ApiResponse, createApi, outcome } from '../support/api.ts';
import { organizationOf } from '../support/organizations.ts';
import type { City, State } from '../support/records.ts';

/** What the resources have in common: creation, reading, partial update, deletion, unique fields, and the events of these changes. */
const fixture = useFixture();
/** An instance with enough connections for 16 requests at the same time. */
let concurrent: Api;
beforeAll(async () => {
  concurrent = createApi((await fixture.world.another({ DATABASE_POOL_MAX: '32' })).url);
});

const forms: Record<Exclude<Generated, null>, unknown> = {
  id: expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[\da-f]{4}-[\da-f]{12}$/),
  time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
  text: expect.any(String),
};

/** The resources with POST, GET, PUT and DELETE. `key` identifies a record. `generated` is what a response has in the fields that the service sets. */
const resources = examples.flatMap(({ name, endpoint: { path }, example: { record, ...create } }) => {
  if (!record) return [];
  const { params } = examples.find((each) => each.name === name.replace(/create$/, 'get'))!.endpoint;
  const generated = Object.fromEntries(Object.entries(record.generated).map(([field, form]) => [field, form && forms[form]]));
  return [{ path, key: Object.keys(params)[0]!, create, update: exampleOf(name.replace(/create$/, 'update')), record, generated }];
});
type Resource = (typeof resources)[number];

const call = (target: string, body?: unknown): Promise<ApiResponse<Input>> => fixture.world.call(fixture.world.global, target, body);
/** All fields that the example of the resource knows, with values at their limits. */
const newBody = async ({ create }: Pick<Resource, 'create'>): Promise<Input> => ({
  ...(await create.valid(fixture)),
  ...(await create.optional?.(fixture)),
  ...(await create.limits?.(fixture)),
});
const without = (record: Input, fields: string[] = []) =>
  Object.fromEntries(Object.entries(record).filter(([field]) => !fields.includes(field)));
const withoutTime = (record: Input) => without(record, ['updatedAt']);

/** Creates a record and reads it. Returns its path, its id, the response to POST, and the record. */
async function created({ path, key }: Pick<Resource, 'path' | 'key'>, body: Input) {
  const answer = await call(`POST ${path}`, body);
  expect(answer).toMatchObject({ status: 201 });
  const id = String(answer.body[key]);
  const { status, body: record } = await call(`GET ${path}/${id}`);
  expect(status).toBe(200);
  return { path: `${path}/${id}`, id, answer, record };
}

/** The last event of a record: the end of its type, such as `updated`, the changed fields, and the record. */
async function lastEvent(id: string) {
  const text = "select split_part(type, '.', 2) as type, changed, data from events where record_id = $1 order by sequence desc limit 1";
  return (await fixture.world.sql(text, [id]))[0];
}

describe.each(resources)('$path', (resource) => {
  const {
    path,
    generated,
    record: { nullable = {}, defaults = {}, requestOnly, absentAfterPost, onlyAfterPost = [] },
  } = resource;

  // Rules: ADDRESSES-8, ADDRESSES-15, APPS-1, APPS-4, CITIES-1, CITIES-7, CONTACTS-1, CONTACTS-10, CUSTOMERS-2, CUSTOMERS-3, CUSTOMERS-6
  // Rules: DOCTYPES-1, DOCTYPES-6, LIMITS-1, ORGANIZATIONS-1, ORGANIZATIONS-11, STATES-1, STATES-5, TENANTS-1, USERS-1, USERS-6, USERS-17
  test('creates a record with all fields, returns it, and accepts fields up to their limits', async () => {
    const sent = await newBody(resource);
    const { answer, record, id } = await created(resource, sent);
    expect(record).toEqual({ ...without(sent, requestOnly), ...generated });
    const shownOnce = Object.fromEntries(onlyAfterPost.map((field) => [field, forms.text]));
    expect(answer.body).toEqual({ ...without(record, absentAfterPost), ...shownOnce });
    expect(await lastEvent(id)).toMatchObject({ type: 'created', data: record });
  });

  // Rules: ADDRESSES-9, DOCTYPES-1, ORGANIZATIONS-4
  test('sets the default of an optional field that is absent or null', async () => {
    for (const nulls of [{}, Object.fromEntries(Object.keys(nullable).map((field) => [field, null]))]) {
      const required = await resource.create.valid(fixture);
      const { record } = await created(resource, { ...required, ...nulls });
      expect(record).toEqual({ ...without(required, requestOnly), ...nullable, ...defaults, ...generated });
    }
  });

  // Rules: ADDRESSES-16, APPS-5, CITIES-8, CONTACTS-11, CUSTOMERS-7, DOCTYPES-7, INPUT-3, INPUT-4, ORGANIZATIONS-12, STATES-6, TENANTS-6, USERS-18
  test('changes only the sent fields, also to null, and ignores fields that cannot be changed', async () => {
    const { path: own, id, record } = await created(resource, await resource.create.valid(fixture));
    const changes = (await smallestChanges(resource.update, fixture)).map((sent) => ({ sent, changed: sent }));
    const nulls = Object.entries(nullable).map(([field, value]) => ({ sent: { [field]: null }, changed: { [field]: value } }));
    let last = record;
    for (const { sent, changed } of [...changes, ...nulls]) {
      const { status, body } = await call(`PUT ${own}`, sent);
      expect({ status, body: withoutTime(body) }).toEqual({ status: 200, body: withoutTime({ ...last, ...changed }) });
      const fields = Object.keys(withoutTime(body)).filter((field) => JSON.stringify(body[field]) !== JSON.stringify(last[field]));
      expect(await lastEvent(id)).toEqual({ type: 'updated', changed: fields.toSorted(), data: body });
      last = body;
    }
    expect((await call(`GET ${own}`)).body).toEqual(last);
    const { status, body } = await call(`PUT ${own}`, resource.update.fixed);
    expect({ status, body: withoutTime(body) }).toEqual({ status: 200, body: withoutTime(last) });
    expect(!('updatedAt' in generated) || String(last['updatedAt']) > String(record['updatedAt'])).toBe(true);
  });

  // Rules: APPS-6, CITIES-9, CONTACTS-12, CUSTOMERS-8, DOCTYPES-10, RECORDS-3, RECORDS-6, STATES-7
  test('deletes a record, and its unique values can be used again', async () => {
    const sent = await newBody(resource);
    const { path: own, id, record } = await created(resource, sent);
    expect(await call(`DELETE ${own}`)).toMatchObject({ status: 204, body: undefined });
    expect(await lastEvent(id)).toMatchObject({ type: 'deleted', data: record });
    expect((await call(`GET ${own}`)).status).toBe(404);
    expect((await call(`POST ${path}`, sent)).status).toBe(201);
  });
});

const uniqueFields = resources.flatMap(({ record: { unique }, ...resource }) =>
  (unique?.fields ?? []).map((field) => ({ ...resource, code: unique?.code, field })),
);

describe.each(uniqueFields)('$path answers $code for a known $field', ({ field, code, ...resource }) => {
  // Rules: APPS-2, CITIES-3, CUSTOMERS-4, DOCTYPES-2, ORGANIZATIONS-5, RECORDS-4, STATES-2, TENANTS-3, USERS-11
  test('to all but one of 16 creations at the same time', async () => {
    const first = await newBody(resource);
    // Half of them send the same record, the others share only this field.
    const bodies = await Promise.all(
      Array.from({ length: 16 }, async (_, index) => (index % 2 ? first : { ...(await newBody(resource)), [field]: first[field] })),
    );
    const answers = await Promise.all(bodies.map((body) => concurrent.call(fixture.world.global, `POST ${resource.path}`, body)));
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

// Rules: APPS-7, CITIES-10, CUSTOMERS-9, RECORDS-7, STATES-8
test('a record is in use while a soft-deleted record refers to it', async () => {
  const { world } = fixture;
  const { id: customerId } = await world.create<{ id: string }>('POST /api/customers', { federalTaxId: world.newTaxId(), name: 'Central' });
  const { stateCode } = await world.create<State>('POST /api/states', newState());
  const { ibgeCode: cityCode } = await world.create<City>('POST /api/cities', { ...newCity(), stateCode });
  const { id } = await organizationOf(world, undefined, { address: { ...praca, stateCode, cityCode } });
  await call(`DELETE /api/users/${(await world.person({}, { customerId })).id}`);
  await call(`DELETE /api/organizations/${id}`);
  for (const [target, code] of [
    [`/api/customers/${customerId}`, 'CUSTOMER_IN_USE'],
    [`/api/cities/${cityCode}`, 'CITY_IN_USE'],
    [`/api/states/${stateCode}`, 'STATE_IN_USE'],
  ]) {
    expect(await call(`DELETE ${target}`)).toMatchObject({ status: 409, code });
    expect((await call(`GET ${target}`)).status).toBe(200);
  }
});

// Rules: USERS-2
test.each(resources.filter(({ path }) => ['/api/users', '/api/customers'].includes(path)))(
  '$path stores an e-mail address trimmed and in lower case',
  async (resource) => {
    const [first, second] = [fixture.world.newPerson().email, fixture.world.newPerson().email];
    const { path, record } = await created(resource, { ...(await newBody(resource)), email: ` ${first.toUpperCase()} ` });
    expect(record['email']).toBe(first);
    expect((await call(`PUT ${path}`, { email: ` ${second.toUpperCase()} ` })).body['email']).toBe(second);
  },
);
