import { type RawBuilder, sql } from 'kysely';
import type { Placeholders } from '../sql/placeholders.ts';

/** The place of an event in the order of all events. The events of one record are in the order of its changes. */
export interface EventPosition {
  epoch: number;
  /** A number of up to 20 digits. */
  transactionId: string;
  sequence: number;
}

/** The position before all events. */
export const firstPosition: EventPosition = { epoch: 0, transactionId: '0', sequence: 0 };

/** Returns a negative number if the first position is before the second one, a positive number if it is after it, and 0 if they are equal. */
export function comparePositions(one: EventPosition, other: EventPosition): number {
  if (one.epoch !== other.epoch) return one.epoch - other.epoch;
  if (one.transactionId !== other.transactionId) return BigInt(one.transactionId) < BigInt(other.transactionId) ? -1 : 1;
  return one.sequence - other.sequence;
}

/** The database has no event at a position: it was removed, or undone by a restore to an earlier time. The reader may have missed events, and must start again. */
export class UnknownEventPositionError extends Error {
  constructor({ epoch, transactionId, sequence }: EventPosition) {
    super(`The database has no event at ${epoch}:${transactionId}:${sequence}: it was removed, or undone by a restore`);
  }
}

/** The position in the input of a statement. */
export const positionOf = (p: Placeholders<EventPosition>): RawBuilder<unknown> =>
  sql`(${p.epoch}, ${p.transactionId}::xid8, ${p.sequence})`;

/**
 * The end of the events that a reader may get. A transaction below the xmin of the snapshot has ended, so no event can appear there later. All transactions of
 * earlier epochs have ended. Together with the position it is a range of an index.
 */
export const belowHorizon = sql`(epoch, transaction_id) < ((select max(epoch) from event_epochs), pg_snapshot_xmin(pg_current_snapshot()))`;

export const inOrder = sql`epoch, transaction_id, sequence`;
export const inReverse = sql`epoch desc, transaction_id desc, sequence desc`;

/**
 * Reads the partitions by the index of positions. PostgreSQL estimates these ranges as far too large, and would sort all later events. One plan fits all
 * positions.
 */
export const byPosition = 'set local enable_sort = off; set local enable_seqscan = off; set local plan_cache_mode = force_generic_plan';
