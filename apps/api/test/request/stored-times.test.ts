import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { upload } from '../support/files.ts';
import { organizationOf, useWorldWithMap } from '../support/organizations.ts';

const world = useWorldWithMap();

// The clock of the service is five minutes slow.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 5 * 60_000 });
});
afterEach(() => vi.useRealTimers());

test.each<[table: string, create: () => Promise<{ id: string }>, change: object]>([
  ['users', () => world.person(), { jobTitle: 'Manager' }],
  ['organizations', () => organizationOf(world), { name: 'New' }],
  ['attachments', async () => (await upload(world, world.global)).body, { description: 'New' }],
])('the times of %s are those of the database', async (table, create, change) => {
  const { id } = await create();
  expect((await world.call(world.global, `PUT /api/${table}/${id}`, change)).status).toBe(200);
  expect((await world.call(world.global, `DELETE /api/${table}/${id}`)).status).toBe(204);
  const isCurrent = (column: string) => `${column} between now() - interval '1 minute' and now() as ${column}`;
  const columns = ['created_at', 'updated_at', 'deleted_at'].map(isCurrent).join();
  const times = await world.sql(`select ${columns} from ${table} where id = $1`, [id]);
  expect(times).toEqual([{ created_at: true, updated_at: true, deleted_at: true }]);
});
