import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Api, createApi } from '../support/api.ts';
import { type Proxy, startProxy } from '../../../../test/proxy.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();
let database: Proxy;
/** An instance that connects to its database through the proxy. */
let api: Api;
beforeAll(async () => {
  database = await startProxy(world.databaseUrl);
  api = createApi((await world.another({ DATABASE_URL: database.url })).url);
});
afterAll(async () => {
  await database.stop();
});

/** Makes each commit of a claim wait. */
async function slowDownClaims(): Promise<void> {
  await world.sql(
    "create function wait_before_commit() returns trigger language plpgsql as 'begin perform pg_sleep(0.5); return null; end'",
  );
  await world.sql(
    'create constraint trigger wait_before_commit after insert on idempotency_keys deferrable initially deferred for each row execute function wait_before_commit()',
  );
}

// Rules: IDEMPOTENCY-7
test('the key is free when the database is back, if the connection has ended while the claim was committed', async () => {
  await slowDownClaims();
  const [key, person] = [randomUUID(), world.newPerson()];
  const create = () => api.call(world.global, 'POST /api/users', person, { 'idempotency-key': key });
  const isCommitting = async () => (await world.sql("select from pg_stat_activity where wait_event = 'PgSleep'")).length > 0;
  const claims = () => world.sql('select from idempotency_keys where key = $1', [key]);

  const response = create();
  await expect.poll(isCommitting).toBe(true);
  database.cut();
  expect((await response).code).toBe('SERVICE_UNAVAILABLE');
  await expect.poll(claims).toHaveLength(1);
  database.forward();
  // A claim that is not released lasts 20 seconds.
  await expect.poll(claims, { timeout: 10_000 }).toEqual([]);
  expect((await create()).status).toBe(201);
});
