import type { Database } from '../connection/database.ts';
import type { EventPosition } from '../journal/event-position.ts';
import type { EventRow } from '../journal/read-events.ts';

/** An event that is to be sent to a webhook. */
export interface Delivery {
  id: string;
  eventId: string;
  eventOccurredAt: string;
  /** Number of attempts so far. */
  attempts: number;
}

const columns = `id, event_id as "eventId", event_occurred_at as "eventOccurredAt", jsonb_array_length(attempts) as attempts`;

/** Also locks the progress, as `lockWebhookProgress`. */
const updateProgress = `
  update webhook_progress set epoch = $5, transaction_id = $6, sequence = $7
  where webhook_id = $1 and (epoch, transaction_id, sequence) = ($2, $3::xid8, $4)`;

const valuesOf = ({ epoch, transactionId, sequence }: EventPosition) => [epoch, transactionId, sequence];

/** Of the deliveries of a record, only the first pending one is due: the others wait until it has ended. */
const insert = `
  insert into webhook_deliveries (webhook_id, event_id, event_occurred_at, type, record_type, record_id, next_attempt_at)
  select $1, event.id, occurred_at, type, event.record_type, event.record_id,
    case when row_number() over (partition by event.record_type, event.record_id order by place) = 1 and not exists (
      select from webhook_deliveries as earlier
      where webhook_id = $1 and status = 'PENDING' and earlier.record_type = event.record_type and earlier.record_id = event.record_id
    ) then now() end
  from unnest($2::uuid[], $3::timestamptz[], $4::text[], $5::text[], $6::text[])
    with ordinality as event (id, occurred_at, type, record_type, record_id, place)
  order by place
  returning ${columns}, next_attempt_at is not null as "isDue"`;

/** Stores that a webhook has got so far in the events, without deliveries. Does nothing if it is elsewhere than `from` by now. */
export async function moveProgress(
  { pool }: Pick<Database, 'pool'>,
  webhookId: string,
  from: EventPosition,
  to: EventPosition,
): Promise<void> {
  await pool.query(updateProgress, [webhookId, ...valuesOf(from), ...valuesOf(to)]);
}

/**
 * Adds deliveries for the next events of a webhook, and stores that it has got so far.
 * @param from where the webhook was
 * @returns the deliveries that can be sent now
 * @throws Error, with nothing changed, if the webhook is elsewhere by now
 */
export async function addDeliveries(
  database: Database,
  webhookId: string,
  events: readonly EventRow[],
  from: EventPosition,
  to: EventPosition,
): Promise<Delivery[]> {
  const fields = (['id', 'occurredAt', 'type', 'recordType', 'recordId'] as const).map((field) => events.map((event) => event[field]));
  return database.transaction(async (transaction) => {
    // One round trip.
    const [moved, { rows }] = await Promise.all([
      transaction.query(updateProgress, [webhookId, ...valuesOf(from), ...valuesOf(to)]),
      transaction.query(insert, [webhookId, ...fields]),
    ]);
    if (moved.rowCount === 0) throw new Error('The webhook was deleted, or another process has sent events of it');
    return (rows as (Delivery & { isDue: boolean })[]).filter(({ isDue }) => isDue);
  });
}

const selectDue = `
  select ${columns} from webhook_deliveries
  where webhook_id = $1 and next_attempt_at <= now() and id <> all ($2) and exists (select from webhooks where webhooks.id = $1)
  order by next_attempt_at, sequence limit $3`;

/** Returns deliveries whose next attempt is due. None if the webhook was deleted. @param except ids of deliveries that are being sent */
export async function findDueDeliveries(
  { pool }: Pick<Database, 'pool'>,
  webhookId: string,
  except: readonly string[],
  limit: number,
): Promise<Delivery[]> {
  return (await pool.query<Delivery>(selectDue, [webhookId, except, limit])).rows;
}

/** A webhook with this many pending deliveries gets no further ones: its place in the events waits, and its replays wait. */
const maxPending = 10_000;

/** Whether a webhook has so many pending deliveries that it gets no further ones. */
export async function hasMaxPending({ pool }: Pick<Database, 'pool'>, webhookId: string): Promise<boolean> {
  const text = "select from webhook_deliveries where webhook_id = $1 and status = 'PENDING' offset $2 limit 1";
  return (await pool.query(text, [webhookId, maxPending - 1])).rows.length > 0;
}

/** How many deliveries one statement deletes, so that it does not reach its time limit. */
const deletedAtOnce = 10_000;

const outdated = "created_at < now() - interval '30 days' and status <> 'PENDING'";

/** Finds each webhook that has deliveries with one look into the index. */
const ofDeletedWebhooks = `
  webhook_id = any (array(
    with recursive webhook (id) as (
      (select webhook_id from webhook_deliveries order by webhook_id limit 1)
      union all
      select (select webhook_id from webhook_deliveries where webhook_id > webhook.id order by webhook_id limit 1)
      from webhook where id is not null
    ) select id from webhook where id is not null and not exists (select from webhooks where webhooks.id = webhook.id)
  ))`;

/** Deletes the deliveries that were created more than 30 days ago and have ended, and those of deleted webhooks. */
export async function deleteObsoleteDeliveries({ pool }: Pick<Database, 'pool'>, signal: AbortSignal): Promise<void> {
  for (const condition of [outdated, ofDeletedWebhooks]) {
    const text = `delete from webhook_deliveries where id in (select id from webhook_deliveries where ${condition} limit $1)`;
    let deleted: number | null = deletedAtOnce;
    while (deleted === deletedAtOnce) {
      signal.throwIfAborted();
      ({ rowCount: deleted } = await pool.query(text, [deletedAtOnce]));
    }
  }
}
