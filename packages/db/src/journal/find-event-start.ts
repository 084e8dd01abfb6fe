import { sql } from 'kysely';
import type { StatementRunner } from '../queries/runner.ts';
import { Statement } from '../queries/statement.ts';
import { queries } from '../sql/compile.ts';
import type { Placeholders } from '../sql/placeholders.ts';
import { belowHorizon, byPosition, comparePositions, type EventPosition, firstPosition, inOrder, inReverse } from './event-position.ts';

/** How many events from a time are compared: in the order of positions, another one may be the first. */
const maxCompared = 5_000;

/** Where a reader of events continues. */
export interface EventStart {
  after: EventPosition;
  /** Whether it is the position of an event, which must still exist. */
  isCursor: boolean;
}

const findLast = new Statement<'scoped', object, EventPosition>(
  () => ({
    compile: () => sql<EventPosition>`select ${inOrder} from events where ${belowHorizon} order by ${inReverse} limit 1`.compile(queries),
  }),
  byPosition,
);

const findFirst = new Statement<'scoped', { startDate: string }, EventPosition>((p: Placeholders<{ startDate: string }>) => ({
  compile: () =>
    sql<EventPosition>`
      select ${inOrder} from (
        select ${inOrder} from events where occurred_at >= ${p.startDate} order by occurred_at limit ${sql.lit(maxCompared)}
      ) as later order by ${inOrder} limit 1
    `.compile(queries),
}));

type Scoped = Pick<StatementRunner<'scoped'>, 'first'>;

/** Returns the position of the last event that readers may get now. */
export async function findLastEvent(scoped: Scoped): Promise<EventPosition> {
  return (await scoped.first(findLast, {})) ?? firstPosition;
}

/**
 * Returns where a reader starts to get the events from a time on: before the first event, in the order of events, that occurred then or later.
 * Without such an event, or if it cannot be delivered yet, returns the position of the last event.
 * @param startDate a timestamp, with milliseconds
 */
export async function findEventStart(scoped: Scoped, startDate: string): Promise<EventStart> {
  // In this order: an event that is committed in between is after the last one.
  const last = await findLastEvent(scoped);
  const first = await scoped.first(findFirst, { startDate });
  if (!first || comparePositions(first, last) > 0) return { after: last, isCursor: true };
  return { after: { ...first, sequence: first.sequence - 1 }, isCursor: false };
}
