import type { Database } from '../connection/database.ts';

export interface DeleteOldEventsOptions {
  retentionDays: number;
  /** Number of events per transaction; default 10,000. */
  batchSize?: number;
  /** Stops the deletion before the next batch. */
  signal?: AbortSignal;
}

interface Deleted {
  count: number;
  epoch: number;
  transactionId: string;
  sequence: number;
}

/**
 * Deletes one batch: the old events among the next events in the order of the primary key, which is about the order of time. A long transaction's event can
 * be younger than events at higher positions: it stays.
 */
const deleteBatch = `
  with batch as materialized (
    select epoch, transaction_id, sequence from events where (epoch, transaction_id, sequence) > ($1, $2::xid8, $3)
    order by epoch, transaction_id, sequence limit $4
  ), last as materialized (
    select * from batch order by epoch desc, transaction_id desc, sequence desc limit 1
  ), deleted as (
    delete from events
    where (epoch, transaction_id, sequence) > ($1, $2::xid8, $3)
      and (epoch, transaction_id, sequence) <= ((select epoch from last), (select transaction_id from last), (select sequence from last))
      and occurred_at < now() - make_interval(hours => 24 * $5)
    returning 1
  )
  select (select count(*) from deleted) as count, epoch, transaction_id as "transactionId", sequence from last`;

/**
 * Deletes the events that are older than the retention time, in batches, each in its own transaction. It ends at the first batch with a younger event.
 * @returns the number of deleted events
 * @throws the reason of the signal when it is aborted
 */
export async function deleteOldEvents(
  { pool }: Pick<Database, 'pool'>,
  { retentionDays, batchSize = 10_000, signal }: DeleteOldEventsOptions,
): Promise<number> {
  let total = 0;
  let after: [epoch: number, transactionId: string, sequence: number] = [0, '0', 0];
  for (;;) {
    signal?.throwIfAborted();
    const { rows } = await pool.query<Deleted>(deleteBatch, [...after, batchSize, retentionDays]);
    const [batch] = rows;
    total += batch?.count ?? 0;
    if (!batch || batch.count < batchSize) return total;
    after = [batch.epoch, batch.transactionId, batch.sequence];
  }
}
