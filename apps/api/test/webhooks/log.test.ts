import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Actor } from '../support/api.ts';
import { insertDelivery } from '../support/deliveries.ts';
import { untilReadable } from '../support/events.ts';
import { organizationOf, useWorldWithMap } from '../support/organizations.ts';
import { useTenant } from '../support/use-people.ts';

/** The delivery log: its pages, retry, skip and replay. The webhooks are inactive, so that nothing else changes their deliveries. */
const world = useWorldWithMap();
const [tenant, other] = [useTenant(world), useTenant(world)];

interface Delivery {
  id: string;
  eventId: string;
  status: string;
  nextAttemptAt: string | null;
}
interface List {
  data: Delivery[];
  nextCursor: string | null;
}

const call = <Body>(target: string, sent?: unknown, actor: Actor = world.global, headers: Record<string, string> = {}) =>
  world.call<Body>(actor, target, sent, headers);
const newWebhook = (fields: object = {}) =>
  world.create<{ id: string }>('POST /api/webhooks', {
    url: 'https://hooks.example.com/profile',
    types: ['*'],
    active: false,
    tenantId: tenant.id,
    ...fields,
  });
const list = async (id: string, query: Record<string, string> = {}) =>
  (await call<List>(`GET /api/webhooks/${id}/deliveries?${new URLSearchParams(query).toString()}`)).body;
const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id);

describe('the list', () => {
  // Rules: DELIVERIES-1, DELIVERIES-2
  test('has each delivery on one page, newest first, while others are added', async () => {
    const [{ id }, { id: another }] = [await newWebhook(), await newWebhook()];
    const ids: string[] = [];
    for (let count = 0; count < 5; count += 1) ids.unshift((await insertDelivery(world, { webhookId: id })).id);
    await insertDelivery(world, { webhookId: another });
    const pages: string[][] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: List = await list(id, { limit: '2', cursor });
      pages.push(idsOf(page.data));
      cursor = page.nextCursor;
      await insertDelivery(world, { webhookId: id });
    }
    expect(pages).toEqual([ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)]);
  });

  // Rules: DELIVERIES-1
  test('has 20 deliveries by default, and those that match all filters', async () => {
    const { id } = await newWebhook();
    const wanted = await insertDelivery(world, { webhookId: id, status: 'FAILED', type: 'user.created' });
    const again = await insertDelivery(world, { webhookId: id, status: 'DELIVERED', type: 'user.created', eventId: wanted.eventId });
    for (let count = 0; count < 20; count += 1) await insertDelivery(world, { webhookId: id, type: 'tenant.updated' });
    expect((await list(id)).data).toHaveLength(20);
    for (const [query, rows] of [
      [{ status: 'FAILED' }, [wanted]],
      [{ type: 'user.created' }, [again, wanted]],
      [{ type: 'user.*', status: 'DELIVERED' }, [again]],
      [{ type: 'user.updated' }, []],
      [{ eventId: wanted.eventId }, [again, wanted]],
      [{ eventId: wanted.eventId, status: 'PENDING' }, []],
    ] as const)
      expect([query, idsOf((await list(id, query)).data)]).toEqual([query, idsOf([...rows])]);
  });

  // Rules: DELIVERIES-2
  test('rejects a cursor of another webhook, of other filters, or with a place that is no number', async () => {
    const [{ id }, { id: another }] = [await newWebhook(), await newWebhook()];
    for (const webhookId of [id, another, id]) await insertDelivery(world, { webhookId });
    const cursor = (await list(id, { limit: '1' })).nextCursor ?? '';
    const forged = { ...(JSON.parse(Buffer.from(cursor, 'base64url').toString()) as object), sequence: '1' };
    for (const query of [
      `${another}/deliveries?cursor=${cursor}`,
      `${id}/deliveries?status=PENDING&cursor=${cursor}`,
      `${id}/deliveries?cursor=${Buffer.from(JSON.stringify(forged)).toString('base64url')}`,
    ])
      expect(await call(`GET /api/webhooks/${query}`)).toMatchObject({ status: 400, body: { errors: [{ path: 'cursor' }] } });
    expect((await list(id, { limit: '50', cursor })).data).toHaveLength(1);
  });
});

// Rules: DELIVERIES-3, WEBHOOKS-2
test('a delivery of another webhook and a webhook of another tenant do not exist', async () => {
  const [{ id }, { id: another }] = [await newWebhook(), await newWebhook()];
  const { id: deliveryId } = await insertDelivery(world, { webhookId: id });
  const stranger = await world.person({ [other.id]: 'tenant-admin' });
  const one = (webhookId: string) =>
    ['GET ', 'POST /retry', 'POST /skip'].map((action) => {
      const [method = '', end = ''] = action.split(' ');
      return `${method} /api/webhooks/${webhookId}/deliveries/${deliveryId}${end}`;
    });
  for (const target of one(another)) expect((await call(target)).code).toBe('WEBHOOK_DELIVERY_NOT_FOUND');
  for (const target of [...one(id), `GET /api/webhooks/${id}/deliveries`, `POST /api/webhooks/${id}/test`])
    expect([target, (await call(target, undefined, stranger)).code]).toEqual([target, 'WEBHOOK_NOT_FOUND']);
  const replay = await call(`POST /api/webhooks/${id}/replay`, { startDate: '2020-01-01' }, stranger);
  expect(replay.code).toBe('WEBHOOK_NOT_FOUND');
  expect((await list(id)).data).toMatchObject([{ id: deliveryId, status: 'PENDING', nextAttemptAt: expect.any(String) }]);
});

describe('a change of one delivery among those of its record', () => {
  /** Creates deliveries of a record, oldest first, and one of another record. */
  async function setUp(...statuses: ('PENDING' | 'DELIVERED' | 'FAILED')[]) {
    const { id: webhookId } = await newWebhook();
    const recordId = randomUUID();
    const ids: string[] = [];
    const first = statuses.indexOf('PENDING');
    for (const [place, status] of statuses.entries())
      ids.push((await insertDelivery(world, { webhookId, recordId, status, waits: place > first })).id);
    await insertDelivery(world, { webhookId });
    return {
      change: async (action: 'retry' | 'skip', place: number) => {
        const { status, body } = await call<Delivery>(`POST /api/webhooks/${webhookId}/deliveries/${ids[place]}/${action}`);
        expect([status, body.id]).toEqual([202, ids[place]]);
        const shown = (await call<Delivery>(`GET /api/webhooks/${webhookId}/deliveries/${ids[place]}`)).body;
        expect(shown).toEqual(body);
        return readStatuses(webhookId);
      },
    };
    /** The statuses of the record's deliveries, oldest first. The one that is due is marked. */
    async function readStatuses(id: string) {
      const rows = (await list(id)).data.toReversed();
      expect(rows.at(-1)).toMatchObject({ status: 'PENDING', nextAttemptAt: expect.any(String) });
      return rows.slice(0, -1).map(({ status, nextAttemptAt }) => (nextAttemptAt === null ? status : `${status} due`));
    }
  }

  // Rules: DELIVERIES-4
  test('a retry sends it now, and the later ones wait; it waits for an earlier one', async () => {
    const alone = await setUp('FAILED');
    expect(await alone.change('retry', 0)).toEqual(['PENDING due']);
    const { change } = await setUp('DELIVERED', 'FAILED', 'PENDING', 'PENDING');
    expect(await change('retry', 1)).toEqual(['DELIVERED', 'PENDING due', 'PENDING', 'PENDING']);
    expect(await change('retry', 2)).toEqual(['DELIVERED', 'PENDING due', 'PENDING', 'PENDING']);
    expect(await change('retry', 0)).toEqual(['PENDING due', 'PENDING', 'PENDING', 'PENDING']);
    const later = await setUp('PENDING', 'FAILED');
    expect(await later.change('retry', 1)).toEqual(['PENDING due', 'PENDING']);
  });

  // Rules: DELIVERIES-5
  test('a skip ends it and sends the next one; a skip of one that waits sends none, and one that has ended stays', async () => {
    const { change } = await setUp('DELIVERED', 'PENDING', 'PENDING', 'PENDING');
    expect(await change('skip', 2)).toEqual(['DELIVERED', 'PENDING due', 'FAILED', 'PENDING']);
    expect(await change('skip', 1)).toEqual(['DELIVERED', 'FAILED', 'FAILED', 'PENDING due']);
    for (const ended of [0, 1]) expect(await change('skip', ended)).toEqual(['DELIVERED', 'FAILED', 'FAILED', 'PENDING due']);
    expect(await change('skip', 3)).toEqual(['DELIVERED', 'FAILED', 'FAILED', 'FAILED']);
  });
});

describe('a replay', () => {
  const replay = (id: string, sent: object) => call(`POST /api/webhooks/${id}/replay`, { startDate: '2020-01-01', ...sent });
  const replayed = async (id: string) =>
    world.sql<{ eventId: string; type: string; recordId: string; isDue: boolean }>(
      `select event_id as "eventId", type, record_id as "recordId", next_attempt_at is not null as "isDue" from webhook_deliveries
       where webhook_id = $1 order by sequence`,
      [id],
    );
  const rename = (organizationId: string, alias: string) => call(`PUT /api/organizations/${organizationId}`, { alias });
  const eventsOf = async (recordId: string) =>
    world.sql<{ id: string; type: string; occurredAt: Date }>(
      'select id, type, occurred_at as "occurredAt" from events where record_id = $1 order by sequence',
      [recordId],
    );
  const patience = { timeout: 30_000 };
  /** The jobs of replays that have not ended. */
  const untilDone = () =>
    expect.poll(() => world.sql("select from pgboss.job where name = 'webhook-replay' and state < 'completed'"), patience).toHaveLength(0);

  // Rules: DELIVERIES-6, DELIVERIES-7
  test('adds the events that the webhook sees and that both lists of types name, oldest first, also from before its creation', async () => {
    const [mine, foreign] = [await organizationOf(world, tenant), await organizationOf(world, other)];
    for (const alias of ['one', 'two']) for (const { id } of [mine, foreign]) await rename(id, alias);
    await untilReadable(world);
    const { id } = await newWebhook({ types: ['organization.*', 'webhook.*'] });
    expect(await replay(id, { types: ['organization.*', 'user.*'] })).toMatchObject({ status: 202, body: { id } });
    await expect.poll(() => replayed(id), patience).not.toHaveLength(0);
    await untilDone();
    const rows = await replayed(id);
    const own = await eventsOf(mine.id);
    expect(rows.filter(({ recordId }) => recordId === mine.id).map(({ eventId }) => eventId)).toEqual(idsOf(own));
    expect(rows.filter(({ recordId }) => recordId === mine.id).map(({ isDue }) => isDue)).toEqual([true, false, false]);
    expect(rows.filter(({ recordId, type }) => recordId === foreign.id || !type.startsWith('organization.'))).toEqual([]);

    const global = await newWebhook({ tenantId: null, types: ['organization.updated'] });
    await replay(global.id, {});
    await untilDone();
    const seen = (await replayed(global.id)).filter(({ recordId }) => [mine.id, foreign.id].includes(recordId));
    expect(seen.map(({ recordId }) => recordId)).toEqual([mine.id, foreign.id, mine.id, foreign.id]);
  });

  // Rules: DELIVERIES-6
  test('includes both times, and with onlyFailed the events whose last delivery has failed', async () => {
    const { id: organizationId } = await organizationOf(world, tenant);
    for (const alias of ['one', 'two', 'three']) await rename(organizationId, alias);
    await untilReadable(world);
    const [, first, second, third] = await eventsOf(organizationId);
    const { id } = await newWebhook({ types: ['organization.updated'] });
    const time = (event: typeof first) => event!.occurredAt.toISOString();
    await replay(id, { startDate: time(first), endDate: time(second) });
    await untilDone();
    const within = (await replayed(id)).filter(({ recordId }) => recordId === organizationId).map(({ eventId }) => eventId);
    expect(within).toEqual(idsOf([first!, second!]));

    await world.sql(`update webhook_deliveries set status = 'FAILED', next_attempt_at = null where webhook_id = $1`, [id]);
    const recordId = organizationId;
    await insertDelivery(world, { webhookId: id, recordId, eventId: first!.id, status: 'DELIVERED' });
    await insertDelivery(world, { webhookId: id, recordId, eventId: third!.id, status: 'PENDING' });
    await replay(id, { startDate: time(first), onlyFailed: true });
    await untilDone();
    expect((await replayed(id)).slice(within.length + 2)).toMatchObject([{ eventId: second!.id, isDue: false }]);
  });

  // Rules: DELIVERIES-6, SENDING-15
  test('of more events than may be pending waits until some have ended, and adds each once and in order', async () => {
    const { id } = await newWebhook({ tenantId: null, types: ['customer.created'] });
    const count = 15_001;
    const requestId = randomUUID();
    const added = await world.sql<{ id: string }>(
      `insert into journal (id, occurred_at, actor_kind, operation, request_id, record_type, record_id, state, epoch, transaction_id, sequence)
       select gen_random_uuid(), now(), 'SYSTEM', 'test', $2, 'customer', gen_random_uuid()::text, '{}', (select max(epoch) from event_epochs),
         pg_current_xact_id(), nextval('journal_sequence') from generate_series(1, $1) returning id`,
      [count, requestId],
    );
    await untilReadable(world);
    await world.sql('update webhooks set active = true where id = $1', [id]);
    await replay(id, { types: ['customer.*'] });
    await world.sql('update webhooks set active = false where id = $1', [id]);
    const waiting = "name = 'webhook-replay' and state = 'created' and start_after > now()";
    await expect.poll(() => world.sql(`select from pgboss.job where ${waiting}`), patience).toHaveLength(1);
    expect((await replayed(id)).length).toBeLessThan(count);
    await world.sql("update webhook_deliveries set status = 'FAILED', next_attempt_at = null where webhook_id = $1", [id]);
    await world.sql(`update pgboss.job set start_after = now() where ${waiting}`);
    // Its job wakes the worker.
    await replay(id, { types: ['app.created'] });
    await untilDone();
    const wanted = new Set(idsOf(added));
    expect((await replayed(id)).map(({ eventId }) => eventId).filter((eventId) => wanted.has(eventId))).toEqual(idsOf(added));
  });
});
