import { randomUUID } from 'node:crypto';
import type { World } from './world.ts';

/** A row of the delivery log. */
export interface DeliveryRow {
  id: string;
  eventId: string;
}

interface NewDelivery {
  webhookId: string;
  /** Id of the record; default: one of its own. */
  recordId?: string;
  type?: string;
  status?: 'PENDING' | 'DELIVERED' | 'FAILED';
  /** Whether an earlier delivery of the record is pending. */
  waits?: boolean;
  eventId?: string;
}

/** Inserts a delivery, as the service adds one for an event. */
export async function insertDelivery(
  { sql }: Pick<World, 'sql'>,
  {
    webhookId,
    recordId = randomUUID(),
    type = 'organization.updated',
    status = 'PENDING',
    waits = false,
    eventId = randomUUID(),
  }: NewDelivery,
): Promise<DeliveryRow> {
  const [row] = await sql<{ id: string }>(
    `insert into webhook_deliveries (webhook_id, event_id, event_occurred_at, type, record_type, record_id, status, next_attempt_at)
     values ($1, $2, now(), $3, split_part($3, '.', 1), $4, $5, case when $6 then now() end) returning id`,
    [webhookId, eventId, type, recordId, status, status === 'PENDING' && !waits],
  );
  return { id: row!.id, eventId };
}
