import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { findDueDeliveries, recordAttempts, retryDelivery, scoped } from '../src/index.ts';
import { useDatabase } from './use-database.ts';

const { database, make, sql } = await useDatabase();

const attempt = { at: '2026-01-15T12:00:00.000Z', durationMs: 1, responseStatus: 500, responseBody: '', error: null };

/** Inserts a delivery. A pending one has been due for a minute, so that it is due even if the clock is set back meanwhile. */
const insert = `
  insert into webhook_deliveries (webhook_id, event_id, event_occurred_at, type, record_type, record_id, status, next_attempt_at)
  values ($1, $2, now(), 'app.updated', 'app', 'one', $3, case when $3 = 'PENDING' then now() - interval '1 minute' end) returning id`;

// Rules: DELIVERIES-4, SENDING-4
test('a delivery that is being sent while an earlier one of its record is retried waits for that one afterwards', async () => {
  const webhookId = await make.webhook(null);
  const [earlier] = await sql<{ id: string }>(insert, [webhookId, randomUUID(), 'FAILED']);
  const [sending] = await sql<{ id: string }>(insert, [webhookId, randomUUID(), 'PENDING']);
  const isDue = () =>
    sql('select id, next_attempt_at is not null as due from webhook_deliveries where webhook_id = $1 order by sequence', [webhookId]);
  await database.transaction((executor) =>
    retryDelivery(scoped(executor, { kind: 'all' }), { id: webhookId, deliveryId: earlier!.id }, () => new Error('There is none')),
  );
  await recordAttempts(database, webhookId, [{ deliveryId: sending!.id, attempt, status: 'PENDING', retrySeconds: 5 }]);
  expect(await isDue()).toEqual([
    { id: earlier!.id, due: true },
    { id: sending!.id, due: false },
  ]);
  await recordAttempts(database, webhookId, [{ deliveryId: earlier!.id, attempt, status: 'DELIVERED', retrySeconds: null }]);
  expect(await isDue()).toEqual([
    { id: earlier!.id, due: false },
    { id: sending!.id, due: true },
  ]);
});

test('the deliveries of a deleted webhook are not due', async () => {
  const webhookId = await make.webhook(null);
  const [delivery] = await sql<{ id: string }>(insert, [webhookId, randomUUID(), 'PENDING']);
  const due = () => findDueDeliveries(database, webhookId, [], 10);
  expect(await due()).toMatchObject([delivery]);
  await sql('delete from webhooks where id = $1', [webhookId]);
  expect(await due()).toEqual([]);
});
