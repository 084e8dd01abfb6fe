import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { absentId, type DocumentType } from '../support/records.ts';
import { startWorld, type World } from '../support/world.ts';
import { wrongOfDocumentType } from '../support/wrong.ts';

let world: World;
beforeAll(async () => (world = await startWorld()));
afterAll(() => world.stop());

let counter = 0;
const newName = (name = 'Alvará') => `${name} ${(counter += 1)}`;
const create = (fields: Record<string, unknown> = {}) =>
  world.call<DocumentType>(world.global, 'POST /api/document-types', { name: newName(), ...fields });
const get = (id: string) => world.call<DocumentType>(world.global, `GET /api/document-types/${id}`);
const update = (id: string, body: unknown) => world.call<DocumentType>(world.global, `PUT /api/document-types/${id}`, body);
const remove = (id: string) => world.call(world.global, `DELETE /api/document-types/${id}`);

describe('GET /api/document-types/{id}', () => {
  test('gives the document type', async () => {
    const { body } = await create({ description: 'Yearly' });
    expect(await get(body.id)).toMatchObject({ status: 200, body });
  });

  test('404 DOCUMENT_TYPE_NOT_FOUND; 400 for no uuid', async () => {
    expect(await get(absentId)).toMatchObject({ status: 404, code: 'DOCUMENT_TYPE_NOT_FOUND' });
    expect((await get('7')).body).toMatchObject({ code: 'VALIDATION_FAILED', errors: [{ path: 'id' }] });
  });
});

describe('PUT /api/document-types/{id}', () => {
  test('changes what is sent and nothing else', async () => {
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

  test('ignores what it does not change: a client may send back the record, with expiration and without', async () => {
    for (const fields of [{}, { hasExpiration: true, defaultValidityDays: 30 }]) {
      const { body: created } = await create(fields);
      const { status, body } = await update(created.id, { ...created, id: absentId, createdAt: 7 });
      expect({ status, body }).toEqual({ status: 200, body: { ...created, updatedAt: body.updatedAt } });
    }
  });

  test('an empty body changes nothing, no default comes back', async () => {
    const { body: created } = await create({ isActive: false, hasExpiration: true, defaultValidityDays: 30 });
    expect(await update(created.id, {})).toMatchObject({ status: 200, body: created });
  });

  test('hasExpiration=false forces defaultValidityDays to null, also where a value is sent with it', async () => {
    for (const fields of [{}, { defaultValidityDays: 60 }, { defaultValidityDays: null }]) {
      const { id } = (await create({ hasExpiration: true, defaultValidityDays: 30 })).body;
      const { status, body } = await update(id, { hasExpiration: false, ...fields });
      expect({ status, body }).toMatchObject({ status: 200, body: { hasExpiration: false, defaultValidityDays: null } });
    }
  });

  test('400 for a defaultValidityDays where hasExpiration stays false; nothing is changed', async () => {
    const { body: created } = await create();
    for (const fields of [{ defaultValidityDays: 30 }, { hasExpiration: false, defaultValidityDays: 30, name: newName() }]) {
      const { status, body } = await update(created.id, fields);
      expect(status).toBe(400);
      expect(body).toMatchObject({ code: 'VALIDATION_FAILED', errors: [{ path: 'defaultValidityDays' }] });
    }
    expect((await update(created.id, { defaultValidityDays: null, hasExpiration: false })).status).toBe(200);
    expect((await get(created.id)).body).toMatchObject({ ...created, updatedAt: expect.any(String) });
  });

  test('a defaultValidityDays may come together with the expiration, or later', async () => {
    const { id } = (await create()).body;
    expect((await update(id, { hasExpiration: true, defaultValidityDays: 30 })).body.defaultValidityDays).toBe(30);
    expect((await update(id, { defaultValidityDays: 60 })).body).toMatchObject({ hasExpiration: true, defaultValidityDays: 60 });
  });

  test.each(wrongOfDocumentType)('refuses a wrong %s: %o', async (path, value) => {
    const { id } = (await create({ hasExpiration: true })).body;
    expect((await update(id, { [path]: value })).body).toMatchObject({ code: 'VALIDATION_FAILED', errors: [{ path }] });
  });

  test('of several at once that end the expiration or set a validity none leaves a validity without expiration', async () => {
    const { id } = (await create({ hasExpiration: true })).body;
    const changes = Array.from({ length: 10 }, (_, index) => (index % 2 ? { hasExpiration: false } : { defaultValidityDays: 30 }));
    const answers = await Promise.all(changes.map((change) => update(id, change)));
    for (const { status } of answers) expect([200, 400]).toContain(status);
    expect((await get(id)).body).toMatchObject({ hasExpiration: false, defaultValidityDays: null });
  });

  test('404 DOCUMENT_TYPE_NOT_FOUND', async () => {
    expect(await update(absentId, { name: newName() })).toMatchObject({ status: 404, code: 'DOCUMENT_TYPE_NOT_FOUND' });
    expect((await update(absentId, {})).code).toBe('DOCUMENT_TYPE_NOT_FOUND');
  });

  test('409 DOCUMENT_TYPE_ALREADY_EXISTS for another’s name; its own is taken', async () => {
    const [{ body: one }, { body: other }] = [await create(), await create()];
    expect(await update(one.id, { name: other.name })).toMatchObject({ status: 409, code: 'DOCUMENT_TYPE_ALREADY_EXISTS' });
    expect((await update(one.id, { name: one.name })).status).toBe(200);
  });
});

describe('DELETE /api/document-types/{id}', () => {
  test('removes it, and its name is free again', async () => {
    const { body: created } = await create();
    expect(await remove(created.id)).toMatchObject({ status: 204, body: undefined });
    expect((await get(created.id)).code).toBe('DOCUMENT_TYPE_NOT_FOUND');
    expect((await create({ name: created.name })).status).toBe(201);
  });

  test('404 DOCUMENT_TYPE_NOT_FOUND', async () => {
    expect(await remove(absentId)).toMatchObject({ status: 404, code: 'DOCUMENT_TYPE_NOT_FOUND' });
  });
});
