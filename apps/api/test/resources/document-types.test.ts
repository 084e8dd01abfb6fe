import { describe, expect, test } from 'vitest';
import type { DocumentType, DocumentTypePage } from '../support/records.ts';
import { useWorld } from '../support/world.ts';

/** Filters, and the validity in days. crud.test.ts tests what all resources have in common. */
const world = useWorld();

const create = (fields: Record<string, unknown> = {}) =>
  world.call<DocumentType>(world.global, 'POST /api/document-types', { name: world.newTaxId(), ...fields });
const get = async (id: string) => (await world.call<DocumentType>(world.global, `GET /api/document-types/${id}`)).body;
const update = (id: string, body: unknown) => world.call<DocumentType>(world.global, `PUT /api/document-types/${id}`, body);
const invalidValidity = { status: 400, body: { code: 'VALIDATION_FAILED', errors: [{ path: 'defaultValidityDays' }] } };

describe('GET /api/document-types', () => {
  const names = async (query: string) =>
    (await world.call<DocumentTypePage>(world.global, `GET /api/document-types?${query}`)).body.data.map(({ name }) => name).toSorted();

  // Rules: DOCTYPES-5
  test('filters by a part of the name, isActive and isRequired, also together', async () => {
    await create({ name: 'Licença 100%', isActive: false });
    await create({ name: 'Licença_B', isRequired: true });
    await create({ name: 'Licença C', isActive: false, isRequired: true });
    expect(await names('name=LICENCA')).toEqual(['Licença 100%', 'Licença C', 'Licença_B']);
    expect(await names('name=%25')).toEqual(['Licença 100%']);
    expect(await names('isActive=false')).toEqual(['Licença 100%', 'Licença C']);
    expect(await names('isActive=true')).toEqual(['Licença_B']);
    expect(await names('isRequired=true')).toEqual(['Licença C', 'Licença_B']);
    expect(await names('isRequired=false')).toEqual(['Licença 100%']);
    expect(await names('name=licença&isRequired=true&isActive=false')).toEqual(['Licença C']);
  });
});

describe('POST /api/document-types', () => {
  // Rules: DOCTYPES-3
  test('rejects a validity without expiration and accepts an expiration without validity', async () => {
    expect(await create({ defaultValidityDays: 30 })).toMatchObject(invalidValidity);
    expect(await create({ hasExpiration: false, defaultValidityDays: 30 })).toMatchObject(invalidValidity);
    expect(await create({ hasExpiration: true })).toMatchObject({ status: 201, body: { defaultValidityDays: null } });
  });
});

describe('PUT /api/document-types/{id}', () => {
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
    for (const fields of [{ defaultValidityDays: 30 }, { hasExpiration: false, defaultValidityDays: 30, name: world.newTaxId() }])
      expect(await update(created.id, fields)).toMatchObject(invalidValidity);
    expect(await get(created.id)).toEqual(created);
    expect((await update(created.id, { defaultValidityDays: null, hasExpiration: false })).status).toBe(200);
  });

  test('never leaves a validity without expiration after several changes at the same time', async () => {
    const { id } = (await create({ hasExpiration: true })).body;
    const changes = Array.from({ length: 10 }, (_, index) => (index % 2 ? { hasExpiration: false } : { defaultValidityDays: 30 }));
    const answers = await Promise.all(changes.map((change) => update(id, change)));
    for (const { status } of answers) expect([200, 400]).toContain(status);
    expect(await get(id)).toMatchObject({ hasExpiration: false, defaultValidityDays: null });
  });
});
