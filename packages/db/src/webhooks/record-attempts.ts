import type { Database } from '../connection/database.ts';
import { recordWrite } from '../journal/record-write.ts';
import type { DeliverableWebhook } from './deliverable-webhooks.ts';

/** An attempt as the delivery log shows it. */
export interface LoggedAttempt {
  at: string;
  durationMs: number;
  responseStatus: number | null;
  responseBody: string | null;
  error: string | null;
}

/** What became of a delivery. */
export interface AttemptResult {
  deliveryId: string;
  /** Set if the event can no longer be sent. That says nothing about the receiver. */
  isLost?: true;
  attempt: LoggedAttempt;
  status: 'PENDING' | 'DELIVERED' | 'FAILED';
  /** How long to wait before the next attempt, in seconds. Null unless the delivery is pending. */
  retrySeconds: number | null;
}

/** A failed delivery waits if its owner has sent an earlier one of its record again meanwhile. */
const update = `
  update webhook_deliveries as delivery
  set status = result.status, attempts = delivery.attempts || result.attempt,
    next_attempt_at = case when retry_seconds is not null and not exists (
      select from webhook_deliveries as earlier
      where earlier.webhook_id = delivery.webhook_id and earlier.status = 'PENDING' and earlier.sequence < delivery.sequence
        and earlier.record_type = delivery.record_type and earlier.record_id = delivery.record_id
    ) then now() + make_interval(secs => retry_seconds) end
  from unnest($1::uuid[], $2::text[], $3::jsonb[], $4::float8[]) as result (id, status, attempt, retry_seconds)
  where delivery.id = result.id and delivery.status = 'PENDING'`;

/** The next delivery of each record whose delivery has ended. */
const releaseNext = `
  update webhook_deliveries set next_attempt_at = now()
  where next_attempt_at is null and id in (
    select (
      select id from webhook_deliveries as pending
      where webhook_id = $1 and status = 'PENDING' and pending.record_type = ended.record_type and pending.record_id = ended.record_id
      order by sequence limit 1
    ) from webhook_deliveries as ended where ended.id = any ($2) and ended.status <> 'PENDING'
  )`;

/** Also locks the progress, as `lockWebhookProgress`. */
const updateProgress = `
  update webhook_progress set failing_since = case when $2 then null when $3 then coalesce(failing_since, now()) else failing_since end
  where webhook_id = $1
  returning $3 and failing_since < now() - interval '5 days' as "isFailing"`;

/**
 * Stores the results of attempts of one webhook, and releases the next delivery of each record. Results of deliveries that have ended meanwhile are dropped.
 * @returns whether the webhook had no success for 5 days while deliveries failed, and whether a next delivery is due
 */
export async function recordAttempts(
  database: Database,
  webhookId: string,
  results: readonly AttemptResult[],
): Promise<{ isFailing: boolean; hasDue: boolean }> {
  const ids = results.map(({ deliveryId }) => deliveryId);
  const values = [
    ids,
    results.map(({ status }) => status),
    results.map(({ attempt }) => JSON.stringify([attempt])),
    results.map(({ retrySeconds }) => retrySeconds),
  ];
  const [isDelivered, isAttempted] = [results.some(({ status }) => status === 'DELIVERED'), results.some(({ isLost }) => !isLost)];
  return database.transaction(async (transaction) => {
    // One round trip. Of a deleted webhook, they find nothing.
    const [progress, , released] = await Promise.all([
      transaction.query(updateProgress, [webhookId, isDelivered, isAttempted]),
      transaction.query(update, values),
      transaction.query(releaseNext, [webhookId, ids]),
    ]);
    const [{ isFailing } = { isFailing: null }] = progress.rows as { isFailing: boolean | null }[];
    return { isFailing: isFailing ?? false, hasDue: Boolean(released.rowCount) };
  });
}

/**
 * Disables a webhook, with an audit entry and an event of the service itself. Does nothing if the webhook has another version by now: it is disabled, or its owner
 * has given it another URL.
 */
export async function disableWebhook(
  database: Database,
  { id, version }: Pick<DeliverableWebhook, 'id' | 'version'>,
  reason: 'ENDPOINT_GONE' | 'FAILING',
): Promise<void> {
  await database.transaction(async (transaction) => {
    transaction.beforeCommit(() => [
      recordWrite({
        operation: 'webhooks.disable',
        actor: { kind: 'SYSTEM', id: null },
        requestId: null,
        tenantId: null,
        events: ['webhook.updated'],
        recordId: id,
      }),
    ]);
    await transaction.query('update webhooks set disabled_at = now(), disabled_reason = $3 where id = $1 and version = $2', [
      id,
      version,
      reason,
    ]);
  });
}
