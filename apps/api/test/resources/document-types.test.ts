import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type DocumentType, type DocumentTypePage } from '../support/records.ts';
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
const list = (query: string) => world.call<DocumentTypePage>(world.global, `GET /api/document-types?${query}`);
const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe('POST /api/document-types', () => {
  test('creates a document type and answers all fields', async () => {
    const texts = { name: newName(), description: 'Yearly' };
    const flags = { isRequired: true, requiresApproval: true, hasExpiration: true, hasAuthenticityCode: true, isActive: false };
    const { status, body } = await create({ ...texts, ...flags, defaultValidityDays: 365 });
    expect(status).toBe(201);
    const id = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
    const stamps = { createdAt: expect.stringMatching(timestamp), updatedAt: body.createdAt };
    expect(body).toEqual({ id, ...texts, ...flags, defaultValidityDays: 365, ...stamps });
    expect((await get(body.id)).body).toEqual(body);
  });

  test('needs a name alone, and has the defaults of its fields', async () => {
    const flags = { isRequired: false, requiresApproval: false, hasExpiration: false, hasAuthenticityCode: false, isActive: true };
    expect((await create()).body).toMatchObject({ ...flags, description: null, defaultValidityDays: null });
    const nulls = { description: null, defaultValidityDays: null };
    expect((await create(nulls)).body).toMatchObject({ ...flags, ...nulls });
  });

  test.each<[path: string, value: unknown]>([['name', undefined], ...wrongOfDocumentType])(
    'refuses a wrong %s: %o',
    async (path, value) => {
      const { status, body } = await create({ hasExpiration: true, [path]: value });
      expect(status).toBe(400);
      expect(body).toMatchObject({ code: 'VALIDATION_FAILED', errors: [{ path }] });
    },
  );

  test.each([1, 2 ** 31 - 1])('takes a validity of %i days', async (defaultValidityDays) => {
    expect(await create({ hasExpiration: true, defaultValidityDays })).toMatchObject({ status: 201, body: { defaultValidityDays } });
  });

  test('refuses a validity without expiration, which is the default; an expiration needs no validity', async () => {
    const refusal = { status: 400, body: { code: 'VALIDATION_FAILED', errors: [{ path: 'defaultValidityDays' }] } };
    expect(await create({ defaultValidityDays: 30 })).toMatchObject(refusal);
    expect(await create({ hasExpiration: false, defaultValidityDays: 30 })).toMatchObject(refusal);
    expect(await create({ hasExpiration: true })).toMatchObject({ status: 201, body: { defaultValidityDays: null } });
  });

  test('409 DOCUMENT_TYPE_ALREADY_EXISTS for a known name, also when several come at once', async () => {
    const name = newName();
    const answers = await Promise.all(Array.from({ length: 4 }, () => create({ name })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409]);
    expect(await create({ name })).toMatchObject({ status: 409, code: 'DOCUMENT_TYPE_ALREADY_EXISTS' });
  });
});

describe('GET /api/document-types', () => {
  const names = async (query: string) => (await list(query)).body.data.map(({ name }) => name).toSorted();

  test('lists all, newest first, 20 to a page unless told', async () => {
    const newest: DocumentType[] = [];
    for (let index = 0; index < 21; index += 1) newest.unshift((await create({ name: newName('Paged') })).body);
    const { status, body } = await list('name=paged');
    expect(status).toBe(200);
    expect(body).toEqual({ data: newest.slice(0, 20), total: 21, totalPages: 2, currentPage: 1 });
    expect((await list('name=paged&page=2')).body).toEqual({ data: newest.slice(20), total: 21, totalPages: 2, currentPage: 2 });
    expect((await list('name=paged&page=3')).body).toEqual({ data: [], total: 21, totalPages: 2, currentPage: 3 });
    expect((await list('name=paged&limit=100')).body).toEqual({ data: newest, total: 21, totalPages: 1, currentPage: 1 });
  });

  test.each([
    ['LICENÇA', ['Licença 100%', 'Licença_B']],
    ['licenca', ['Licença 100%', 'Licença_B']],
    ['%', ['Licença 100%']],
    ['_', ['Licença_B']],
    ['\\', []],
    ["'", []],
  ])('name contains %s', async (text, found) => {
    for (const name of ['Licença 100%', 'Licença_B']) await create({ name });
    expect(await names(`name=${encodeURIComponent(text)}`)).toEqual(found);
  });

  test('filters by isActive and isRequired, and by all together', async () => {
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

  test.each(['isActive=yes', 'isRequired=1', 'page=0', 'page=-1', 'page=x', 'limit=0', 'limit=101'])('refuses %s', async (query) => {
    expect((await list(query)).body).toMatchObject({ code: 'VALIDATION_FAILED', errors: [{ path: query.split('=')[0] }] });
  });
});
