import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase } from '../../../test/database.ts';
import { connect, type Database, deleteExpiredIdempotencyKeys, newId, unscoped } from '../src/index.ts';

let database: Database;
beforeAll(async () => {
  database = connect({ connectionString: await createTestDatabase() });
});
afterAll(() => database.close());

const sql = async (text: string, values: unknown[] = []) => (await database.pool.query<{ count: number }>(text, values)).rows;
const insert = `
  insert into idempotency_keys (actor_kind, actor_id, key, fingerprint, status, body, size, expires_at)
  select 'USER', $1, n::text, '', 201, '{}', $3::int, now() + make_interval(secs => n) from generate_series(1, $2::int) n`;
const remaining = async (actor: string) =>
  sql('select count(*)::int, min(key::int), max(key::int) from idempotency_keys where actor_id = $1', [actor]);
const trim = (actor: string) => sql("select trim_idempotency_keys('USER', $1)", [actor]);

// Rules: IDEMPOTENCY-10
test('an actor keeps the newest 10,000 keys', async () => {
  const [actor, other] = [newId(), newId()];
  await sql(insert, [actor, 10_050, 2]);
  await sql(insert, [other, 20, 2]);
  await trim(actor);
  expect(await remaining(actor)).toEqual([{ count: 10_000, min: 51, max: 10_050 }]);
  expect(await remaining(other)).toEqual([{ count: 20, min: 1, max: 20 }]);
});

// Rules: IDEMPOTENCY-10
test('an actor keeps at most 64 MiB of responses', async () => {
  const actor = newId();
  await sql(insert, [actor, 100, 1024 * 1024]);
  await trim(actor);
  expect(await remaining(actor)).toEqual([{ count: 64, min: 37, max: 100 }]);
});

// Rules: IDEMPOTENCY-7
test('expired keys are deleted in batches, and not after an abort', async () => {
  const actor = newId();
  const statements: string[] = [];
  await sql(insert, [actor, 5, 2]);
  await sql("update idempotency_keys set expires_at = now() - interval '1 second' where actor_id = $1 and key::int <= 4", [actor]);
  const db = unscoped(database.executor);
  await expect(deleteExpiredIdempotencyKeys(db, { batchSize: 2, signal: AbortSignal.abort() })).rejects.toThrow(/abort/);
  expect(await remaining(actor)).toMatchObject([{ count: 5 }]);
  const one = db.one.bind(db);
  db.one = (async (statement: never, input: never) => {
    statements.push('delete');
    return one(statement, input);
  }) as typeof db.one;
  await deleteExpiredIdempotencyKeys(db, { batchSize: 2 });
  expect(await remaining(actor)).toEqual([{ count: 1, min: 5, max: 5 }]);
  expect(statements).toHaveLength(3);
});
