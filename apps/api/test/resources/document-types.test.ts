import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DocumentType, DocumentTypePage } from '../support/records.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World;
beforeAll(async () => (world = await startWorld()));
afterAll(() => world.stop());

let counter = 0;
const newName = (name = 'Alvará') => `${name} ${(counter += 1)}`;
const create = (fields: Record<string, unknown> = {}) =>
  world.call<DocumentType>(world.global, 'POST /api/document-types', { name: newName(), ...fields });
const get = (id: string) => world.call<DocumentType>(world.global, `GET /api/document-types/${id}`);
const list = (query: string) => world.call<DocumentTypePage>(world.global, `GET /api/document-types?${query}`);
const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const update = (id: string, body: unknown) => world.call<DocumentType>(world.global, `PUT /api/document-types/${id}`, body);
const remove = (id: string) => world.call(world.global, `DELETE /api/document-types/${id}`);

describe('POST /api/document-types', () => {
  // Rules: DOCTYPES-1
  test('creates a document type and returns all fields', async () => {
    const texts = { name: newName(), description: 'Yearly' };
    const flags = { isRequired: true, requiresApproval: true, hasExpiration: true, hasAuthenticityCode: true, isActive: false };
    const { status, body } = await create({ ...texts, ...flags, defaultValidityDays: 365 });
    expect(status).toBe(201);
    const id = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
    const stamps = { createdAt: expect.stringMatching(timestamp), updatedAt: body.createdAt };
    expect(body).toEqual({ id, ...texts, ...flags, defaultValidityDays: 365, ...stamps });
    expect((await get(body.id)).body).toEqual(body);
  });

  // Rules: DOCTYPES-1
  test('requires only a name and sets the defaults of the other fields', async () => {
    const flags = { isRequired: false, requiresApproval: false, hasExpiration: false, hasAuthenticityCode: false, isActive: true };
    expect((await create()).body).toMatchObject({ ...flags, description: null, defaultValidityDays: null });
    const nulls = { description: null, defaultValidityDays: null };
    expect((await create(nulls)).body).toMatchObject({ ...flags, ...nulls });
  });

  test.each([1, 2 ** 31 - 1])('accepts a validity of %i days', async (defaultValidityDays) => {
    expect(await create({ hasExpiration: true, defaultValidityDays })).toMatchObject({ status: 201, body: { defaultValidityDays } });
  });

  // Rules: DOCTYPES-3
  test('rejects a validity without expiration and accepts an expiration without validity', async () => {
    const refusal = { status: 400, body: { code: 'VALIDATION_FAILED', errors: [{ path: 'defaultValidityDays' }] } };
    expect(await create({ defaultValidityDays: 30 })).toMatchObject(refusal);
    expect(await create({ hasExpiration: false, defaultValidityDays: 30 })).toMatchObject(refusal);
    expect(await create({ hasExpiration: true })).toMatchObject({ status: 201, body: { defaultValidityDays: null } });
  });

  // Rules: DOCTYPES-2
  test('rejects a known name with DOCUMENT_TYPE_ALREADY_EXISTS, also for several creations at the same time', async () => {
    const name = newName();
    const answers = await Promise.all(Array.from({ length: 4 }, () => create({ name })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409]);
    expect(await create({ name })).toMatchObject({ status: 409, code: 'DOCUMENT_TYPE_ALREADY_EXISTS' });
  });
});

describe('GET /api/document-types', () => {
  const names = async (query: string) => (await list(query)).body.data.map(({ name }) => name).toSorted();

  // Rules: DOCTYPES-5
  test.each([
    ['LICENÇA', ['Licença 100%', 'Licença_B']],
    ['licenca', ['Licença 100%', 'Licença_B']],
    ['%', ['Licença 100%']],
    ['_', ['Licença_B']],
    ['\\', []],
    ["'", []],
  ])('filters by names that contain %s', async (text, found) => {
    for (const name of ['Licença 100%', 'Licença_B']) await create({ name });
    expect(await names(`name=${encodeURIComponent(text)}`)).toEqual(found);
  });

  // Rules: DOCTYPES-5
  test('filters by isActive and isRequired, also together', async () => {
    await create({ name: 'Filter A', isActive: false });
    await create({ name: 'Filter B', isRequired: true });
    await create({ name: 'Filter C', isActive: false, isRequired: true });
    expect(await names('name=filter&isActive=false')).toEqual(['Filter A', 'Filter C']);
    expect(await names('name=filter&isActive=true')).toEqual(['Filter B']);
    expect(await names('name=filter&isRequired=true')).toEqual(['Filter B', 'Filter C']);
    expect(await names('name=filter&isRequired=false')).toEqual(['Filter A']);
    expect(await names('name=filter&isRequired=true&isActive=false')).toEqual(['Filter C']);
    expect(await names('name=filter&isRequired=&isActive=')).toHaveLength(3);
  });
});

describe('GET /api/document-types/{id}', () => {
  // Rules: DOCTYPES-6
  test('returns the document type', async () => {
    const { body } = await create({ description: 'Yearly' });
    expect(await get(body.id)).toMatchObject({ status: 200, body });
  });
});

describe('PUT /api/document-types/{id}', () => {
  // Rules: DOCTYPES-7
  test('changes only the sent fields', async () => {
    const { body: created } = await create({ isRequired: true, isActive: false });
    const fields = { name: newName(), description: 'Yearly', hasExpiration: true, defaultValidityDays: 30, hasAuthenticityCode: true };
    const { status, body } = await update(created.id, fields);
    expect(status).toBe(200);
    expect(body).toEqual({ ...created, ...fields, updatedAt: body.updatedAt });
    expect(body.updatedAt > created.updatedAt).toBe(true);
    expect((await get(created.id)).body).toEqual(body);
    const more = { isRequired: false, requiresApproval: true, isActive: true, description: null, defaultValidityDays: null };
    expect((await update(created.id, more)).body).toMatchObject({ ...fields, ...more });
  });

  // Rules: DOCTYPES-8
  test('sets defaultValidityDays to null with hasExpiration=false, also if a value is sent with it', async () => {
    for (const fields of [{}, { defaultValidityDays: 60 }, { defaultValidityDays: null }]) {
      const { id } = (await create({ hasExpiration: true, defaultValidityDays: 30 })).body;
      const { status, body } = await update(id, { hasExpiration: false, ...fields });
      expect({ status, body }).toMatchObject({ status: 200, body: { hasExpiration: false, defaultValidityDays: null } });
    }
  });

  // Rules: DOCTYPES-9
  test('rejects a defaultValidityDays while hasExpiration stays false and changes nothing', async () => {
    const { body: created } = await create();
    for (const fields of [{ defaultValidityDays: 30 }, { hasExpiration: false, defaultValidityDays: 30, name: newName() }]) {
      const { status, body } = await update(created.id, fields);
      expect(status).toBe(400);
      expect(body).toMatchObject({ code: 'VALIDATION_FAILED', errors: [{ path: 'defaultValidityDays' }] });
    }
    expect((await update(created.id, { defaultValidityDays: null, hasExpiration: false })).status).toBe(200);
    expect((await get(created.id)).body).toMatchObject({ ...created, updatedAt: expect.any(String) });
  });

  test('accepts a defaultValidityDays together with the expiration or after it', async () => {
    const { id } = (await create()).body;
    expect((await update(id, { hasExpiration: true, defaultValidityDays: 30 })).body.defaultValidityDays).toBe(30);
    expect((await update(id, { defaultValidityDays: 60 })).body).toMatchObject({ hasExpiration: true, defaultValidityDays: 60 });
  });

  test('never leaves a validity without expiration after several changes at the same time', async () => {
    const { id } = (await create({ hasExpiration: true })).body;
    const changes = Array.from({ length: 10 }, (_, index) => (index % 2 ? { hasExpiration: false } : { defaultValidityDays: 30 }));
    const answers = await Promise.all(changes.map((change) => update(id, change)));
    for (const { status } of answers) expect([200, 400]).toContain(status);
    expect((await get(id)).body).toMatchObject({ hasExpiration: false, defaultValidityDays: null });
  });

  // Rules: DOCTYPES-2
  test('rejects the name of another document type with DOCUMENT_TYPE_ALREADY_EXISTS and accepts its own', async () => {
    const [{ body: one }, { body: other }] = [await create(), await create()];
    expect(await update(one.id, { name: other.name })).toMatchObject({ status: 409, code: 'DOCUMENT_TYPE_ALREADY_EXISTS' });
    expect((await update(one.id, { name: one.name })).status).toBe(200);
  });
});

describe('DELETE /api/document-types/{id}', () => {
  // Rules: DOCTYPES-10, RECORDS-6
  test('deletes the document type and frees its name', async () => {
    const { body: created } = await create();
    expect(await remove(created.id)).toMatchObject({ status: 204, body: undefined });
    expect((await get(created.id)).code).toBe('DOCUMENT_TYPE_NOT_FOUND');
    expect((await create({ name: created.name })).status).toBe(201);
  });
});
