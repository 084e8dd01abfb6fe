import type { TransactionExecutor } from '../connection/transaction.ts';
import type { EventPosition } from '../journal/event-position.ts';

/** Condition on a row of `webhooks`: whether events are sent to it. The users and the application of an inactive tenant have no access either. */
export const isDeliverable =
  'active and disabled_at is null and not exists (select from tenants where tenants.id = webhooks.tenant_id and not tenants.active)';

const lock = `
  select from webhook_progress
  where webhook_id = $1 and ($2::bigint is null or (epoch, transaction_id, sequence) = ($2, $3::xid8, $4)) for update`;

/**
 * Locks the progress of a webhook until the end of the transaction. Whoever adds deliveries or ends one holds the lock, so that each knows what the others have
 * done: of the pending deliveries of a record, only the first has a time for its next attempt.
 * @param at where the webhook must be; default: anywhere
 * @returns false if the webhook was deleted, or is elsewhere
 */
export async function lockProgress(transaction: TransactionExecutor, webhookId: string, at?: EventPosition): Promise<boolean> {
  const { rows } = await transaction.query(lock, [webhookId, at?.epoch ?? null, at?.transactionId ?? null, at?.sequence ?? null]);
  return rows.length > 0;
}
