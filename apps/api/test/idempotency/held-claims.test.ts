import { randomUUID } from 'node:crypto';
import {
  type ClaimedRequest,
  claimIdempotencyKey,
  connect,
  type Database,
  type HandlerDatabase,
  newId,
  withoutScopedTables,
} from '@profile-service/db';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { createTestDatabase } from '../../../../test/database.ts';
import { createIdempotencyClaims, type IdempotencyClaims } from '../../src/operation/idempotency-claims.ts';
import { type Proxy, startProxy } from '../support/proxy.ts';

let proxy: Proxy;
let database: Database;
let db: HandlerDatabase;
let claims: IdempotencyClaims;
beforeAll(async () => {
  proxy = await startProxy(await createTestDatabase());
  database = connect({ connectionString: proxy.url });
  db = withoutScopedTables(database.executor);
  claims = createIdempotencyClaims(db, 20);
});
afterEach(() => proxy.forward());
afterAll(async () => {
  claims.stop();
  await database.close();
  await proxy.stop();
});

/** Claims a new key in the database. */
async function claim(): Promise<ClaimedRequest> {
  const request = { actor: { kind: 'USER', id: newId() }, key: randomUUID(), fingerprint: Buffer.from('input'), claimId: newId() } as const;
  expect((await claimIdempotencyKey(db, request)).outcome).toBe('CLAIMED');
  return request;
}

/** Returns the number of seconds until the claims of the key expire. */
const secondsLeft = async ({ key }: ClaimedRequest) =>
  (
    await database.pool.query<{ seconds: number }>(
      'select extract(epoch from claimed_until - now())::float as seconds from idempotency_keys where key = $1',
      [key],
    )
  ).rows.map(({ seconds }) => seconds);
const setAlmostExpired = ({ key }: ClaimedRequest) =>
  database.pool.query("update idempotency_keys set claimed_until = now() + interval '1 second' where key = $1", [key]);

// Rules: IDEMPOTENCY-9
test('the claim of a running request is renewed until the request ends', async () => {
  const request = await claim();
  await setAlmostExpired(request);
  const held = claims.hold(request);
  await vi.waitFor(async () => expect(await secondsLeft(request)).toEqual([expect.closeTo(20, -1)]));
  claims.end(held);
  const other = claims.hold(await claim());
  await setAlmostExpired(request);
  await vi.waitFor(async () => expect(await secondsLeft(other.request)).toEqual([expect.closeTo(20, -1)]));
  expect((await secondsLeft(request))[0]).toBeLessThan(2);
  claims.end(other);
});

test('a claim that another request has taken is neither renewed nor released', async () => {
  const request = await claim();
  const late = claims.hold({ ...request, claimId: newId() });
  await setAlmostExpired(request);
  await claims.release(late);
  expect((await secondsLeft(request))[0]).toBeLessThan(2);
});

// Rules: IDEMPOTENCY-7
test('the key of a request that failed with the database is free when the database is back', async () => {
  const request = await claim();
  const held = claims.hold(request);
  proxy.cut();
  await claims.release(held);
  proxy.forward();
  await vi.waitFor(async () => expect(await secondsLeft(request)).toEqual([]));
});
