import { randomUUID } from 'node:crypto';
import { type ClaimedRequest, claimIdempotencyKey, connect, type Database, newId, unscoped } from '@profile-service/db';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase } from '../../../../test/database.ts';
import { createLog } from '../../src/observability/log.ts';
import { createIdempotencyClaims, type IdempotencyClaims } from '../../src/request/idempotency-claims.ts';

let database: Database;
let claims: IdempotencyClaims;
beforeAll(async () => {
  database = connect({ connectionString: await createTestDatabase() });
  claims = createIdempotencyClaims(unscoped(database.executor), createLog('silent'), { renewMs: 20, retryMs: 20 });
});
afterAll(async () => {
  claims.stop();
  await database.close();
});

/** Claims a new key in the database. */
async function claim(): Promise<ClaimedRequest> {
  const request = { actor: { kind: 'USER', id: newId() }, key: randomUUID(), fingerprint: Buffer.from('input'), claimId: newId() } as const;
  expect((await claimIdempotencyKey(unscoped(database.executor), request)).outcome).toBe('CLAIMED');
  return request;
}

/** Returns the number of seconds until the claims of the key expire. */
const secondsLeft = async ({ key }: ClaimedRequest) => {
  const text = 'select extract(epoch from claimed_until - now())::float as seconds from idempotency_keys where key = $1';
  return (await database.pool.query<{ seconds: number }>(text, [key])).rows.map(({ seconds }) => seconds);
};
const setAlmostExpired = ({ key }: ClaimedRequest) =>
  database.pool.query("update idempotency_keys set claimed_until = now() + interval '10 seconds' where key = $1", [key]);

// Rules: IDEMPOTENCY-9
test('the claim of a running request is renewed until the request ends', async () => {
  const request = await claim();
  await setAlmostExpired(request);
  claims.hold(request);
  await expect.poll(() => secondsLeft(request)).toEqual([expect.closeTo(20, -1)]);
  claims.end(request);
  const other = await claim();
  claims.hold(other);
  await setAlmostExpired(request);
  await expect.poll(() => secondsLeft(other)).toEqual([expect.closeTo(20, -1)]);
  expect((await secondsLeft(request))[0]).toBeLessThan(11);
  claims.end(other);
});

test('a claim that another request has taken is neither renewed nor released', async () => {
  const request = await claim();
  const late = { ...request, claimId: newId() };
  claims.hold(late);
  await setAlmostExpired(request);
  await claims.release(late);
  expect((await secondsLeft(request))[0]).toBeLessThan(11);
});
