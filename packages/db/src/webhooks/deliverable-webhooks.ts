import type { Database } from '../connection/database.ts';
import type { EventPosition } from '../journal/event-position.ts';

/** Condition on a row of `webhooks`: whether events are sent to it. The users and the application of an inactive tenant have no access either. */
export const isDeliverable =
  'active and disabled_at is null and not exists (select from tenants where tenants.id = webhooks.tenant_id and not tenants.active)';

/** A webhook to which events are sent: active, not disabled, and not of an inactive tenant. */
export interface DeliverableWebhook {
  id: string;
  /** Changes with the webhook and its secrets. */
  version: number;
  /** Null for the events of all tenants. */
  tenantId: string | null;
  url: string;
  types: string[];
  /** Encrypted, the current one first. The previous one is absent when it has expired. */
  secrets: Buffer[];
  /** Whether a delivery is due. */
  hasDue: boolean;
  /** The last event for which a delivery was added, or that the webhook does not get. */
  position: EventPosition;
}

type Row = Omit<DeliverableWebhook, 'position'> & EventPosition & { databaseMs: number };

const select = `
  select webhooks.id, webhooks.version, tenant_id as "tenantId", url, types,
    array_remove(array[secret, case when previous_secret_expires_at > now() then previous_secret end], null) as secrets,
    epoch, transaction_id as "transactionId", sequence,
    exists (select from webhook_deliveries as delivery where delivery.webhook_id = webhooks.id and next_attempt_at <= now()) as "hasDue",
    extract(epoch from clock_timestamp())::float8 * 1000 as "databaseMs"
  from webhooks join webhook_progress on webhook_id = webhooks.id where ${isDeliverable}`;

/**
 * Returns all webhooks to which events are sent.
 * @returns with them, how far the clock of the database is ahead of the one of this process, in milliseconds; 0 without webhooks
 */
export async function listDeliverableWebhooks({ pool }: Pick<Database, 'pool'>) {
  const { rows } = await pool.query<Row>(select);
  const clockDifferenceMs = rows[0] ? rows[0].databaseMs - Date.now() : 0;
  const webhooks = rows.map(({ epoch, transactionId, sequence, databaseMs: _databaseMs, ...webhook }): DeliverableWebhook => ({
    ...webhook,
    position: { epoch, transactionId, sequence },
  }));
  return { webhooks, clockDifferenceMs };
}
