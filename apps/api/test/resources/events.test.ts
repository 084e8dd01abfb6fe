import { type ChangeEvent, connect, type Database, type EventPosition, readEvents } from '@profile-service/db';
import { type Input, smallestChanges } from '@profile-service/contracts/examples';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ApiResponse } from '../support/api.ts';
import { upload } from '../support/files.ts';
import { startFixture } from '../endpoints/fixture.ts';
import type { Fixture } from '../endpoints/fixture-types.ts';
import type { World } from '../support/world.ts';
import { allFields, crudResources } from './crud-resources.ts';

let fixture: Fixture;
let world: World;
let database: Database;
beforeAll(async () => {
  fixture = await startFixture();
  ({ world } = fixture);
  database = connect({ connectionString: world.databaseUrl, max: 1 });
});
afterAll(async () => {
  await database.close();
  await world.stop();
});

const call = (target: string, body?: unknown): Promise<ApiResponse<Input>> => world.call(world.global, target, body);
let position: EventPosition | null = null;
/** Waits for the next event of this record. A transaction of any database of the server delays it. */
async function nextEvent(id: string): Promise<ChangeEvent> {
  const found: ChangeEvent[] = [];
  await expect
    .poll(async () => {
      const read = await readEvents(database.executor, { after: position, limit: 1, retentionDays: 30 });
      position = read.position;
      found.push(...read.events.filter(({ record }) => record.id === id));
      return found.length;
    })
    .toBeGreaterThan(0);
  return found[0] as ChangeEvent;
}

describe.each(crudResources)('the events of $path', (resource) => {
  test('have the record as its GET shows it', async () => {
    const { path, key } = resource;
    const create = async (fields: Input) => {
      const created = await call(`POST ${path}`, fields);
      expect(created.status).toBe(201);
      const id = String(created.body[key]);
      const first = await nextEvent(id);
      const { type } = first.record;
      expect([first.type, first.data]).toEqual([`${type}.created`, (await call(`GET ${path}/${id}`)).body]);
      return { id, type };
    };
    await create(await allFields(resource, fixture));
    // Its optional fields are not set, so that each change below changes something.
    const { id, type } = await create(await resource.create.valid(fixture));
    const get = async () => (await call(`GET ${path}/${id}`)).body;
    let record = await get();
    for (const change of await smallestChanges(resource.update, fixture)) {
      const before = record;
      expect((await call(`PUT ${path}/${id}`, change)).status).toBe(200);
      record = await get();
      const changed = Object.keys(record).filter(
        (field) => field !== 'updatedAt' && JSON.stringify(record[field]) !== JSON.stringify(before[field]),
      );
      expect(await nextEvent(id)).toMatchObject({ type: `${type}.updated`, changed: changed.toSorted(), data: record });
    }
    expect((await call(`DELETE ${path}/${id}`)).status).toBe(204);
    const deleted = await nextEvent(id);
    expect([deleted.type, deleted.data]).toEqual([`${type}.deleted`, record]);
  });
});

test('the events of an attachment have the record as POST and PUT return it', async () => {
  const { body: created } = await upload(world, world.global);
  expect(await nextEvent(created.id)).toMatchObject({ type: 'attachment.created', data: created });
  const { body: changed } = await call(`PUT /api/attachments/${created.id}`, { description: 'Signed' });
  expect(await nextEvent(created.id)).toMatchObject({ type: 'attachment.updated', changed: ['description'], data: changed });
  expect((await call(`DELETE /api/attachments/${created.id}`)).status).toBe(204);
  expect(await nextEvent(created.id)).toMatchObject({ type: 'attachment.deleted', data: changed });
});
