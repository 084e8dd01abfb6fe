import { expect, test } from 'vitest';
import type { DocumentType } from '../support/records.ts';
import { useWorld } from '../support/world.ts';

/** The validity in days. crud.test.ts tests what all resources have in common, lists.test.ts the filters. */
const world = useWorld();

const create = (fields: object = {}) =>
  world.call<DocumentType>(world.global, 'POST /api/document-types', { name: world.newTaxId(), ...fields });
const get = async (id: string) => (await world.call<DocumentType>(world.global, `GET /api/document-types/${id}`)).body;
const update = (id: string, body: unknown) => world.call<DocumentType>(world.global, `PUT /api/document-types/${id}`, body);
const invalid = { status: 400, body: { code: 'VALIDATION_FAILED', errors: [{ path: 'defaultValidityDays' }] } };

// Rules: DOCTYPES-3
test('POST rejects a validity without expiration and accepts an expiration without validity', async () => {
  for (const fields of [{}, { hasExpiration: false }]) expect(await create({ ...fields, defaultValidityDays: 30 })).toMatchObject(invalid);
  expect(await create({ hasExpiration: true })).toMatchObject({ status: 201, body: { defaultValidityDays: null } });
});

// Rules: DOCTYPES-8
test('PUT sets defaultValidityDays to null with hasExpiration=false, also if a value is sent with it', async () => {
  for (const fields of [{}, { defaultValidityDays: 60 }, { defaultValidityDays: null }]) {
    const { id } = (await create({ hasExpiration: true, defaultValidityDays: 30 })).body;
    const answer = await update(id, { hasExpiration: false, ...fields });
    expect(answer).toMatchObject({ status: 200, body: { hasExpiration: false, defaultValidityDays: null } });
  }
});

// Rules: DOCTYPES-9
test('PUT rejects a defaultValidityDays while hasExpiration stays false and changes nothing', async () => {
  const { body: created } = await create();
  for (const fields of [{}, { hasExpiration: false, name: world.newTaxId() }])
    expect(await update(created.id, { ...fields, defaultValidityDays: 30 })).toMatchObject(invalid);
  expect(await get(created.id)).toEqual(created);
  expect((await update(created.id, { defaultValidityDays: null, hasExpiration: false })).status).toBe(200);
});

test('several PUTs at the same time never leave a validity without expiration', async () => {
  const { id } = (await create({ hasExpiration: true })).body;
  const changes = Array.from({ length: 10 }, (_, index) => (index % 2 ? { hasExpiration: false } : { defaultValidityDays: 30 }));
  const answers = await Promise.all(changes.map((change) => update(id, change)));
  for (const { status } of answers) expect([200, 400]).toContain(status);
  expect(await get(id)).toMatchObject({ hasExpiration: false, defaultValidityDays: null });
});
