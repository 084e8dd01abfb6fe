import type { EventType, RecordType } from '@profile-service/contracts';
import { sql, type SqlBool } from 'kysely';
import type { Executor } from '../connection/executor.ts';
import type { Row } from '../scope/unscoped-tables.ts';
import { queries } from '../sql/compile.ts';
import { plannedEachTime } from '../sql/planner.ts';
import type { Placeholders } from '../sql/placeholders.ts';
import { Statement } from '../queries/statement.ts';
import type { Actor } from './record-write.ts';

/** A committed write. */
export interface ChangeEvent {
  id: string;
  type: EventType;
  occurredAt: string;
  actor: Actor;
  requestId: string | null;
  tenantId: string | null;
  organizationId: string | null;
  record: { type: RecordType; id: string };
  /** The fields that differ from before. */
  changed: string[];
  /** The record as its GET shows it after the change; for a deletion, as it was before. */
  data: Record<string, unknown>;
}

/** The place of an event in the order of all events. The events of one record are in the order of its changes. */
export interface EventPosition {
  epoch: number;
  transactionId: string;
  sequence: number;
}

/**
 * The database does not have the event at a position, because it was restored to a time before it. The reader has seen changes that are undone. It must start
 * again.
 */
export class UnknownEventPositionError extends Error {
  constructor({ epoch, transactionId, sequence }: EventPosition) {
    super(`The database has no event at ${epoch}:${transactionId}:${sequence}: it was restored to an earlier time`);
  }
}

const start: EventPosition = { epoch: 0, transactionId: '0', sequence: 0 };

/**
 * Finds the position of the last event that a reader got. Old events are removed in the order of their positions, so a missing event with an earlier one before
 * it was not removed but undone. Of an event that was removed, only the epoch is left.
 */
const findPosition = new Statement<'unscoped', EventPosition, { epoch: number }>((p: Placeholders<EventPosition>) =>
  queries
    .selectFrom('eventEpochs')
    .select('epoch')
    .where('epoch', '=', p.epoch)
    .where(
      sql<SqlBool>`(
        exists (select from events where (epoch, transaction_id, sequence) = (${p.epoch}, ${p.transactionId}::xid8, ${p.sequence}))
        or not exists (select from events where (epoch, transaction_id, sequence) < (${p.epoch}, ${p.transactionId}::xid8, ${p.sequence}))
      )`,
    ),
);

interface Range extends EventPosition {
  limit: number;
  retentionDays: number;
}

/**
 * All bounds are conditions of the index of positions. A transaction below the xmin of the snapshot has ended, so no event can appear there later. All
 * transactions of earlier epochs have ended. The third bound is the position of the first event within the retention time.
 */
const findEvents = new Statement<'unscoped', Range, Row<'events'>>(
  (p: Placeholders<Range>) =>
    queries
      .selectFrom('events')
      .selectAll()
      .where(sql<SqlBool>`(epoch, transaction_id, sequence) > (${p.epoch}, ${p.transactionId}::xid8, ${p.sequence})`)
      .where(sql<SqlBool>`(epoch, transaction_id) < ((select max(epoch) from event_epochs), pg_snapshot_xmin(pg_current_snapshot()))`)
      .where(
        sql<SqlBool>`(epoch, transaction_id, sequence) >= (
          select epoch, transaction_id, sequence from journal
          where occurred_at >= now() - make_interval(hours => 24 * ${p.retentionDays}) and transaction_id is not null order by occurred_at limit 1
        )`,
      )
      .orderBy('epoch')
      .orderBy('transactionId')
      .orderBy('sequence')
      .limit(p.limit),
  plannedEachTime,
);

/**
 * Returns the next events of committed writes, and the position of the last one. A reader that passes this position to its next call gets each event once.
 * An event is delivered when all transactions that started before its own have ended. Reads the primary, and writes nothing.
 * @param after null for the oldest event  @param retentionDays older events are not delivered
 * @throws UnknownEventPositionError
 */
export async function readEvents(
  executor: Executor,
  { after, limit, retentionDays }: { after: EventPosition | null; limit: number; retentionDays: number },
): Promise<{ events: ChangeEvent[]; position: EventPosition | null }> {
  const scope = { kind: 'none' } as const;
  const [known, found] = await Promise.all([
    findPosition.run(executor, after ?? start, scope),
    findEvents.run(executor, { ...(after ?? start), limit, retentionDays }, scope),
  ]);
  if (after && known.length === 0) throw new UnknownEventPositionError(after);
  const last = found.at(-1);
  const position = last ? { epoch: last.epoch, transactionId: last.transactionId, sequence: last.sequence } : after;
  return { events: found.map(toEvent), position };
}

const toEvent = (row: Row<'events'>): ChangeEvent => ({
  id: row.id,
  type: row.type as EventType,
  occurredAt: row.occurredAt,
  actor: { kind: row.actorKind, id: row.actorId } as Actor,
  requestId: row.requestId,
  tenantId: row.tenantId,
  organizationId: row.organizationId,
  record: { type: row.recordType as RecordType, id: row.recordId },
  changed: row.changed,
  data: row.data,
});
