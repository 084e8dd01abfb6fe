import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestDatabase } from '../../../../test/database.ts';
import { connect, type Database, deleteOldEvents, newId } from '../../src/index.ts';

let database: Database;
beforeAll(async () => (database = connect({ connectionString: await createTestDatabase() })));
afterAll(() => database.close());
beforeEach(() => database.pool.query('truncate events restart identity'));

/** Adds an event for each age in days, in the order of their positions. */
async function addEvents(ages: readonly number[], epoch = 1): Promise<void> {
  await database.pool.query(
    `insert into events (epoch, transaction_id, id, type, occurred_at, actor_kind, record_type, record_id, changed, data)
     select $2, (place / 3)::text::xid8, $3, 'app.updated', now() - make_interval(hours => 24 * age), 'SYSTEM', 'app', 'x', '{}', jsonb_build_object('age', age)
     from unnest($1::int[]) with ordinality as event (age, place) order by place`,
    [ages, epoch, newId()],
  );
}
const ages = async () => {
  const text = "select (data ->> 'age')::int as age from events order by epoch, transaction_id, sequence";
  return (await database.pool.query<{ age: number }>(text)).rows.map(({ age }) => age);
};
const clean = (batchSize?: number, signal?: AbortSignal) =>
  deleteOldEvents(database, { retentionDays: 30, ...(batchSize && { batchSize }), ...(signal && { signal }) });

test('events older than the retention time are deleted, of all epochs', async () => {
  await addEvents([90, 60, 31]);
  await addEvents([40, 29, 0], 2);
  expect(await clean()).toBe(4);
  expect(await ages()).toEqual([29, 0]);
  expect(await clean()).toBe(0);
});

test.each([1, 2, 3, 4, 5, 7, 8, 100])('batches of %i delete all of them, and no younger one', async (batchSize) => {
  await addEvents([50, 49, 48, 47, 46, 45, 44, 20, 19, 18]);
  expect(await clean(batchSize)).toBe(7);
  expect(await ages()).toEqual([20, 19, 18]);
});

test.each([2, 3, 5])('a younger event between old ones stays, with batches of %i', async (batchSize) => {
  await addEvents([50, 49, 5, 48, 47, 4, 3]);
  await clean(batchSize);
  expect(await ages()).toEqual(expect.arrayContaining([5, 4, 3]));
});

test('each batch is a transaction of its own, and none starts after the signal is aborted', async () => {
  await addEvents(Array.from({ length: 10 }, () => 50));
  const controller = new AbortController();
  let batches = 0;
  const pool = {
    query: async (text: string, values: unknown[]) => {
      const result = await database.pool.query(text, values);
      if ((batches += 1) === 2) controller.abort();
      return result;
    },
  } as unknown as Database['pool'];
  await expect(deleteOldEvents({ pool }, { retentionDays: 30, batchSize: 3, signal: controller.signal })).rejects.toThrow(/abort/);
  expect(batches).toBe(2);
  expect(await ages()).toHaveLength(4);
});

test('without events nothing is deleted', async () => {
  expect(await clean()).toBe(0);
});
