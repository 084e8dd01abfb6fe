import { expect, test } from 'vitest';
import { deleteExpiredIdempotencyKeys, newId, unscoped } from '../src/index.ts';
import { useDatabase } from './use-database.ts';

const { database, sql } = await useDatabase();
const insert = `
  insert into idempotency_keys (actor_kind, actor_id, key, fingerprint, status, body, size, expires_at)
  select 'USER', $1, n::text, '', 201, '{}', $3::int, now() + make_interval(secs => n) from generate_series(1, $2::int) n`;
const remaining = (actor: string) =>
  sql('select count(*)::int, min(key::int), max(key::int) from idempotency_keys where actor_id = $1', [actor]);

// Rules: IDEMPOTENCY-10
test.each([
  ['10,000 keys', { keys: 10_050, size: 2 }, { count: 10_000, min: 51, max: 10_050 }],
  ['64 MiB of responses', { keys: 100, size: 1024 * 1024 }, { count: 64, min: 37, max: 100 }],
])('an actor keeps the newest %s', async (_limit, { keys, size }, expected) => {
  const [actor, other] = [newId(), newId()];
  await sql(insert, [actor, keys, size]);
  await sql(insert, [other, 20, 2]);
  await sql("select trim_idempotency_keys('USER', $1)", [actor]);
  expect(await remaining(actor)).toEqual([expected]);
  expect(await remaining(other)).toEqual([{ count: 20, min: 1, max: 20 }]);
});

// Rules: IDEMPOTENCY-7
test('expired keys are deleted in batches, and not after an abort', async () => {
  const actor = newId();
  await sql(insert, [actor, 5, 2]);
  await sql("update idempotency_keys set expires_at = now() - interval '1 second' where actor_id = $1 and key::int <= 4", [actor]);
  let batches = 0;
  const db = unscoped({
    run(statement) {
      batches += 1;
      return database.executor.run(statement);
    },
  });
  await expect(deleteExpiredIdempotencyKeys(db, { batchSize: 2, signal: AbortSignal.abort() })).rejects.toThrow(/abort/);
  expect(await remaining(actor)).toMatchObject([{ count: 5 }]);
  await deleteExpiredIdempotencyKeys(db, { batchSize: 2 });
  expect(await remaining(actor)).toEqual([{ count: 1, min: 5, max: 5 }]);
  expect(batches).toBe(3);
});
