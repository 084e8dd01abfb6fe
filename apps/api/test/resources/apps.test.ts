import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { absentId, type App } from '../support/records.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World;
beforeAll(async () => (world = await startWorld()));
afterAll(() => world.stop());

let counter = 0;
const newName = () => `App ${(counter += 1)}`;
const create = (body: unknown = { name: newName() }) => world.call<App>(world.global, 'POST /api/apps', body);
const get = (id: string) => world.call<App>(world.global, `GET /api/apps/${id}`);

describe('POST /api/apps', () => {
  // Rules: APPS-1
  test('creates an app and returns its id and name', async () => {
    const { status, body } = await create({ name: 'Harvest' });
    expect(status).toBe(201);
    expect(body).toEqual({ id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/), name: 'Harvest' });
  });

  test('treats names that differ in case as different', async () => {
    const name = newName();
    expect((await create({ name })).status).toBe(201);
    expect((await create({ name: name.toUpperCase() })).status).toBe(201);
  });

  // Rules: APPS-2
  test('rejects a known name with APP_ALREADY_EXISTS, also for two creations at the same time', async () => {
    const name = newName();
    const answers = await Promise.all([create({ name }), create({ name })]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409]);
    expect((await create({ name })).code).toBe('APP_ALREADY_EXISTS');
  });
});

describe('GET /api/apps/{id}', () => {
  // Rules: APPS-4
  test('returns the app', async () => {
    const { body: created } = await create();
    const { status, body } = await get(created.id);
    expect(status).toBe(200);
    expect(body).toEqual(created);
  });
});

describe('PUT /api/apps/{id}', () => {
  const update = (id: string, body: unknown) => world.call<App>(world.global, `PUT /api/apps/${id}`, body);

  // Rules: APPS-5
  test('changes the name and ignores an id in the body', async () => {
    const { body: created } = await create();
    const name = newName();
    const { status, body } = await update(created.id, { id: absentId, name });
    expect(status).toBe(200);
    expect(body).toEqual({ id: created.id, name });
    expect((await get(created.id)).body).toEqual(body);
  });

  test('accepts its own name', async () => {
    const { body: created } = await create();
    expect(await update(created.id, {})).toMatchObject({ status: 200, body: created });
    expect(await update(created.id, { name: created.name })).toMatchObject({ status: 200, body: created });
  });

  // Rules: APPS-2
  test('rejects the name of another app with APP_ALREADY_EXISTS', async () => {
    const [one, other] = [(await create()).body, (await create()).body];
    expect((await update(one.id, { name: other.name })).code).toBe('APP_ALREADY_EXISTS');
    expect((await get(one.id)).body).toEqual(one);
  });
});

describe('DELETE /api/apps/{id}', () => {
  const remove = (id: string) => world.call(world.global, `DELETE /api/apps/${id}`);

  // Rules: APPS-6, RECORDS-6
  test('deletes the app and frees its name', async () => {
    const { body: created } = await create();
    expect((await remove(created.id)).status).toBe(204);
    expect((await get(created.id)).status).toBe(404);
    expect((await create({ name: created.name })).status).toBe(201);
  });

  // Rules: APPS-7
  test('rejects the deletion with APP_IN_USE while a tenant references the app', async () => {
    const { id, appId } = await world.tenant();
    expect((await remove(appId)).code).toBe('APP_IN_USE');
    expect((await get(appId)).status).toBe(200);
    await world.call(world.global, `DELETE /api/tenants/${id}`);
    expect((await remove(appId)).status).toBe(204);
  });
});
