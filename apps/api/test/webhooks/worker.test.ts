import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { connect, type DeliverableWebhook, findEventsForWebhook, listDeliverableWebhooks, scoped } from '@profile-service/db';
import type { WebhookClient } from '@profile-service/webhooks';
import { expect, onTestFinished, test } from 'vitest';
import { createLog } from '../../src/observability/log.ts';
import { WebhookWorker, type WebhookWorkerOptions } from '../../src/webhooks/webhook-worker.ts';
import { organizationOf, useWorldWithMap } from '../support/organizations.ts';
import { answered, insertWebhook } from '../support/webhooks.ts';

const world = useWorldWithMap();

type Send = WebhookClient['send'];

const rename = (organizationId: string, alias: string) => world.call(world.global, `PUT /api/organizations/${organizationId}`, { alias });

/** Starts a worker with its own connections, as another process would. */
async function startWorker(id: string, send: Send, events?: WebhookWorkerOptions['events']) {
  const database = connect({ connectionString: world.databaseUrl, max: 3 });
  onTestFinished(() => database.close());
  const webhook = (await listDeliverableWebhooks(database)).webhooks.find((each) => each.id === id) as DeliverableWebhook;
  const worker = new WebhookWorker(webhook, [], {
    database,
    client: { send, close: async () => undefined },
    events: events ?? {
      isStopping: false,
      wait: async ({ after }) => pause(20, { position: after, hasEvents: true }),
    },
    concurrency: 10,
    inTurn: (work) => work(),
    now: () => new Date(),
    log: createLog('silent'),
    onAttempt: () => undefined,
  });
  return { database, worker, running: worker.run() };
}

const statusesOf = async (id: string) =>
  (await world.sql<{ status: string }>('select status from webhook_deliveries where webhook_id = $1 order by sequence', [id])).map(
    ({ status }) => status,
  );

// Rules: SENDING-4, SENDING-8
test('a receiver that fails at random gets each event, and those of a record in their order', async () => {
  const tenant = await world.tenant();
  const id = await insertWebhook(world, tenant);
  const organizations = await Promise.all(Array.from({ length: 8 }, () => organizationOf(world, tenant)));
  /** The events in the order in which they ended: accepted, or given up by the receiver. */
  const ended: { recordId: string; eventId: string }[] = [];
  const sending = new Set<string>();
  let [failures, overlaps, inFlight, most] = [0, 0, 0, 0];
  const send: Send = async ({ id: eventId, body }) => {
    const recordId = (JSON.parse(String(body)) as { record: { id: string } }).record.id;
    overlaps += Number(sending.has(recordId));
    sending.add(recordId);
    most = Math.max(most, (inFlight += 1));
    await pause(Math.random() * 5);
    inFlight -= 1;
    sending.delete(recordId);
    if (Math.random() < 0.3) {
      failures += 1;
      return answered(500);
    }
    ended.push({ recordId, eventId });
    return Math.random() < 0.1 ? answered(400, true) : answered(200);
  };
  const { worker, running } = await startWorker(id, send);
  await Promise.all(
    organizations.map(async ({ id: organizationId }) => {
      for (let count = 0; count < 10; count += 1) await rename(organizationId, `alias ${count}`);
    }),
  );
  const feed = async () => {
    const target = 'GET /service/events?types=organization.*&limit=1000';
    const { body } = await world.call<{ data: { id: string; record: { id: string } }[] }>(tenant.service, target);
    return body.data.map((event) => ({ recordId: event.record.id, eventId: event.id }));
  };
  await expect.poll(feed).toHaveLength(8 * 11);
  await expect
    .poll(
      async () => {
        await world.sql('update webhook_deliveries set next_attempt_at = now() where webhook_id = $1 and next_attempt_at > now()', [id]);
        worker.sendDue();
        return (await statusesOf(id)).filter((status) => status !== 'PENDING').length;
      },
      { timeout: 30_000, interval: 20 },
    )
    .toBe(8 * 11);
  worker.stop();
  await running;
  const ofRecord = (all: typeof ended, recordId: string) => all.filter((each) => each.recordId === recordId);
  const expected = await feed();
  for (const organization of organizations) expect(ofRecord(ended, organization.id)).toEqual(ofRecord(expected, organization.id));
  expect(overlaps).toBe(0);
  expect(failures).toBeGreaterThan(0);
  expect(most).toBeGreaterThan(1);
  expect(most).toBeLessThanOrEqual(10);
});

// Rules: SENDING-13
test('an event is sent again if the process crashes between the request and the result', async () => {
  const tenant = await world.tenant();
  const id = await insertWebhook(world, tenant);
  const sent: string[] = [];
  const first = await startWorker(id, async ({ id: eventId }) => {
    sent.push(eventId);
    await first.database.close();
    return answered(200);
  });
  await organizationOf(world, tenant);
  await expect(first.running).rejects.toThrow('Cannot use a pool after calling end on the pool');
  expect(await statusesOf(id)).toEqual(['PENDING']);
  const second = await startWorker(id, async ({ id: eventId }) => {
    sent.push(eventId);
    return answered(200);
  });
  await expect.poll(() => statusesOf(id)).toEqual(['DELIVERED']);
  second.worker.stop();
  await second.running;
  expect(sent).toEqual([sent[0], sent[0]]);
});

test('of two processes that send the events of a webhook, one gives up', async () => {
  const tenant = await world.tenant();
  const id = await insertWebhook(world, tenant);
  const sent: string[] = [];
  const send: Send = async ({ id: eventId }) => answered(sent.push(eventId) && 200);
  const workers = [await startWorker(id, send), await startWorker(id, send)];
  const given = Promise.any(workers.map(({ running }) => running.then(() => Promise.reject(new Error('ended')), String)));
  await organizationOf(world, tenant);
  expect(await given).toBe('Error: The webhook was deleted, or another process has sent events of it');
  for (const { worker } of workers) worker.stop();
  await Promise.allSettled(workers.map(({ running }) => running));
  expect(await statusesOf(id)).toEqual(['DELIVERED']);
  expect(sent).toHaveLength(1);
});

// Rules: SENDING-4
test('a delivery that fails waits for an earlier one of its record that is sent again meanwhile', async () => {
  const tenant = await world.tenant();
  const id = await insertWebhook(world, tenant);
  const sent: string[] = [];
  const failing = Promise.withResolvers<void>();
  const { worker, running } = await startWorker(id, async ({ body }) => {
    const { alias } = (JSON.parse(String(body)) as { data: { alias: string | null } }).data;
    sent.push(alias ?? 'created');
    if (alias !== 'renamed' || sent.length > 2) return answered(200);
    await failing.promise;
    return answered(500);
  });
  const { id: organizationId } = await organizationOf(world, tenant);
  await expect.poll(() => statusesOf(id)).toEqual(['DELIVERED']);
  await rename(organizationId, 'renamed');
  await expect.poll(() => sent).toEqual(['created', 'renamed']);
  await world.sql(
    "update webhook_deliveries set status = 'PENDING', next_attempt_at = now() + '1 hour' where webhook_id = $1 and status = 'DELIVERED'",
    [id],
  );
  failing.resolve();
  await expect
    .poll(() => world.sql('select from webhook_deliveries where webhook_id = $1 and next_attempt_at is null', [id]))
    .toHaveLength(1);
  await world.sql('update webhook_deliveries set next_attempt_at = now() where webhook_id = $1 and next_attempt_at is not null', [id]);
  worker.sendDue();
  await expect.poll(() => statusesOf(id)).toEqual(['DELIVERED', 'DELIVERED']);
  worker.stop();
  await running;
  expect(sent).toEqual(['created', 'renamed', 'created', 'renamed']);
});

// Rules: SENDING-10, SENDING-12
test('an event that is no longer visible is not a failure of the receiver', async () => {
  const tenant = await world.tenant();
  const id = await insertWebhook(world, tenant);
  const { worker, running } = await startWorker(id, async () => answered(500));
  const { id: organizationId } = await organizationOf(world, tenant);
  const progress = (condition: string) => world.sql(`select from webhook_progress where webhook_id = $1 and ${condition}`, [id]);
  await expect.poll(() => progress('failing_since is not null')).toHaveLength(1);
  await world.sql('update webhook_progress set failing_since = null where webhook_id = $1', [id]);
  await world.call(tenant.service, `DELETE /service/organizations/${organizationId}/tenants`);
  await world.sql('update webhook_deliveries set next_attempt_at = now() where webhook_id = $1', [id]);
  worker.sendDue();
  await expect.poll(() => statusesOf(id)).toEqual(['FAILED']);
  worker.stop();
  await running;
  expect(await progress('failing_since is null')).toHaveLength(1);
});

test('retries read little data at once, and all of it in the end', async () => {
  const tenant = await world.tenant();
  const id = await insertWebhook(world, tenant);
  const sent: string[] = [];
  let status = 500;
  const { database, worker, running } = await startWorker(id, async ({ id: eventId }) => {
    sent.push(eventId);
    return answered(status);
  });
  const metadata = { text: 'x'.repeat(60_000) };
  for (let made = 0; made < 12; made += 1) await organizationOf(world, tenant, { metadata });
  const attempted =
    'select event_id as "eventId", event_occurred_at::text as "eventOccurredAt" from webhook_deliveries where webhook_id = $1 and attempts <> \'[]\'';
  const deliveries = () => world.sql<{ eventId: string; eventOccurredAt: string }>(`${attempted} order by sequence`, [id]);
  await expect.poll(deliveries).toHaveLength(12);
  const tenantScope = scoped(database.executor, { kind: 'tenant', tenantId: tenant.id });
  const lost = { eventId: randomUUID(), eventOccurredAt: '2026-01-01T00:00:00Z' };
  const named = [lost, ...(await deliveries())];
  const read = await findEventsForWebhook(tenantScope, named, 150_000);
  expect(read.events.map((event) => event.id)).toEqual(named.slice(1, 4).map(({ eventId }) => eventId));
  expect(read.count).toBe(4);
  expect(await findEventsForWebhook(tenantScope, [lost], 1)).toEqual({ events: [], count: 1 });
  status = 200;
  await world.sql('update webhook_deliveries set next_attempt_at = now() where webhook_id = $1', [id]);
  worker.sendDue();
  await expect.poll(async () => new Set(await statusesOf(id))).toEqual(new Set(['DELIVERED']));
  worker.stop();
  await running;
  expect(sent).toHaveLength(24);
});

test('a worker ends when the service is stopping, and waits for no event', async () => {
  const id = await insertWebhook(world, await world.tenant());
  let waits = 0;
  // Without a limit, a worker that goes on waiting would never let this test continue.
  const wait: WebhookWorkerOptions['events']['wait'] = async ({ after }) => {
    waits += 1;
    if (waits === 100) worker.stop();
    return { position: after, hasEvents: false };
  };
  const { worker, running } = await startWorker(id, async () => answered(200), { isStopping: true, wait });
  await running;
  expect(waits).toBe(0);
});

// Rules: DELIVERIES-4
test('a retry sends an event that the types of the webhook no longer name', async () => {
  const tenant = await world.tenant();
  const id = await insertWebhook(world, tenant);
  const sent: string[] = [];
  const send: Send = async ({ id: eventId }) => {
    sent.push(eventId);
    return answered(200);
  };
  const first = await startWorker(id, send);
  await organizationOf(world, tenant);
  await expect.poll(() => statusesOf(id)).toEqual(['DELIVERED']);
  first.worker.stop();
  await first.running;
  const update = await world.call(world.global, `PUT /api/webhooks/${id}`, { types: ['user.created'] });
  const [delivery] = await world.sql<{ id: string }>('select id from webhook_deliveries where webhook_id = $1', [id]);
  const retry = await world.call(world.global, `POST /api/webhooks/${id}/deliveries/${delivery?.id}/retry`);
  expect([update.status, retry.status]).toEqual([200, 202]);
  const second = await startWorker(id, send);
  await expect.poll(() => sent).toEqual([sent[0], sent[0]]);
  second.worker.stop();
  await second.running;
});
