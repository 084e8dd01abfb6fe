import { expect, test } from 'vitest';
import type { DocumentType } from '../support/records.ts';
import { useWorld } from '../support/world.ts';

/** The validity in days. crud.test.ts tests what all resources have in common, lists.test.ts the filters. */
const world = useWorld();

const call = (target: string, body?: object) => world.call<DocumentType>(world.global, target, body);
const create = (fields: object = {}) => call('POST /api/document-types', { name: world.newTaxId(), ...fields });
const update = (id: string, body: object) => call(`PUT /api/document-types/${id}`, body);
const get = async (id: string) => (await call(`GET /api/document-types/${id}`)).body;
const invalid = { status: 400, body: { code: 'VALIDATION_FAILED', errors: [{ path: 'defaultValidityDays' }] } };

// Rules: DOCTYPES-3
test('POST rejects a validity without expiration and accepts an expiration without validity', async () => {
  for (const fields of [{}, { hasExpiration: false }]) expect(await create({ ...fields, defaultValidityDays: 30 })).toMatchObject(invalid);
  expect(await create({ hasExpiration: true })).toMatchObject({ status: 201, body: { defaultValidityDays: null } });
});

// Rules: DOCTYPES-8, DOCTYPES-9
test('PUT sets defaultValidityDays to null with hasExpiration=false, and rejects a value while hasExpiration stays false', async () => {
  for (const fields of [{}, { defaultValidityDays: 60 }, { defaultValidityDays: null }]) {
    const { id } = (await create({ hasExpiration: true, defaultValidityDays: 30 })).body;
    const { status, body } = await update(id, { hasExpiration: false, ...fields });
    expect([status, body.hasExpiration, body.defaultValidityDays]).toEqual([200, false, null]);
    for (const more of [{}, { hasExpiration: false, name: world.newTaxId() }])
      expect(await update(id, { ...more, defaultValidityDays: 30 })).toMatchObject(invalid);
    expect(await get(id)).toEqual(body);
  }
});

test('several PUTs at the same time never leave a validity without expiration', async () => {
  const { id } = (await create({ hasExpiration: true })).body;
  const changes = Array.from({ length: 10 }, (_, index) => (index % 2 ? { hasExpiration: false } : { defaultValidityDays: 30 }));
  const answers = await Promise.all(changes.map((change) => update(id, change)));
  for (const { status } of answers) expect([200, 400]).toContain(status);
  expect(await get(id)).toMatchObject({ hasExpiration: false, defaultValidityDays: null });
});
