import type { EventType } from '@profile-service/contracts';
import { sql, type SqlBool } from 'kysely';
import type { Row } from '../scope/unscoped-tables.ts';
import type { ScopeParameters } from '../scope/scope.ts';
import { queries } from '../sql/compile.ts';
import { ifGiven, Placeholder, type Placeholders, type Values } from '../sql/placeholders.ts';
import type { StatementRunner } from '../queries/runner.ts';
import { Statement } from '../queries/statement.ts';
import {
  belowHorizon,
  byPosition,
  comparePositions,
  type EventPosition,
  firstPosition,
  inOrder,
  inReverse,
  positionOf,
  UnknownEventPositionError,
} from './event-position.ts';
import { type EventAudience, eventVisible, visibleActorId, visibleData, visibleTenantId } from './event-scope.ts';

/** A committed write, as the reader may see it. */
export type EventRow = Pick<
  Row<'events'>,
  | 'id'
  | 'type'
  | 'occurredAt'
  | 'actorKind'
  | 'actorId'
  | 'requestId'
  | 'tenantId'
  | 'organizationId'
  | 'recordType'
  | 'recordId'
  | 'changed'
> &
  EventPosition & {
    /** The record as its GET shows it after the change, as JSON text; for a deletion, as it was before. */
    data: string;
  };

export interface EventFilters {
  /** Only events of these types. Undefined for all. */
  types?: readonly EventType[] | undefined;
  organizationId?: string | undefined;
}

export interface EventQuery extends EventFilters {
  /** Where to continue. */
  after: EventPosition;
  /** Whether `after` is the position of an event that the reader got. It must still exist then. */
  isCursor: boolean;
  /** Maximum number of events. */
  limit: number;
  /** How much data the events have together, in bytes; default 8 MiB. The first event may have more. */
  maxBytes?: number;
}

export interface EventPage {
  events: EventRow[];
  /** Where to continue: all events up to here were read. */
  position: EventPosition;
  /** Whether there are later events. The reader may see none of them. */
  hasMore: boolean;
}

/** How many events a read compares with the filters. An index has their positions: 5,000 take 1 ms, and comparing them about 8 ms. */
const maxScanned = 5_000;
/** How much data the events of a page have together by default, in bytes. */
const defaultMaxBytes = 8 * 1024 * 1024;

interface Input extends EventFilters, EventPosition {
  isCursor: boolean;
  limit: number;
  maxBytes: number;
}

/** How many events are scanned. Without filters, all of them match. */
const scanned = new Placeholder<number>((input, { kind }) => (kind === 'all' && isUnfiltered(input) ? Number(input['limit']) : maxScanned));
const isUnfiltered = ({ types, organizationId }: Values): boolean => types === undefined && organizationId === undefined;

/** An event with its position, and what was read. Without an event there is one row, in which these fields are null. */
interface Found extends EventRow {
  isKnown: boolean;
  scannedEpoch: number | null;
  scannedTransactionId: string;
  scannedSequence: number;
  /** Whether there are events that were not scanned. */
  isCut: boolean;
  /** Number of events of the page, also those that its size excludes. */
  foundCount: number;
}

/** The type of an event in the journal, as in the view of the events. */
export const eventType = sql`(record_type || case when former is null then '.created' when state is null then '.deleted' else '.updated' end)`;

/** The columns of `EventRow`. */
const eventColumns = (scope: ScopeParameters, audience: EventAudience) => sql`
  ${inOrder}, id, ${eventType} as type, occurred_at, actor_kind, ${visibleActorId(scope)} as actor_id, request_id, ${visibleTenantId(scope)} as tenant_id,
  organization_id, record_type, record_id, changed_fields(former, state) as changed, ${visibleData(scope, audience)} as data`;

/**
 * Compares a bounded number of events with the filters: the first ones after the position, in the order of the index of positions. A limit ends both scans: an
 * upper bound would not, because PostgreSQL reads the index to its end after a comparison of rows. The page computes the fields of its own events only.
 */
function selectEvents(p: Placeholders<Input>, scope: ScopeParameters, audience: EventAudience) {
  const matches = sql.join(
    [
      eventVisible(scope, audience),
      ifGiven(p.types, (types) => sql<SqlBool>`${eventType} = any (${types})`),
      ifGiven(p.organizationId, (id) => sql<SqlBool>`organization_id = ${id}`),
    ],
    sql` and `,
  );
  const position = positionOf(p);
  const range = sql`from journal as events where transaction_id is not null and (${inOrder}) > ${position} and ${belowHorizon} order by ${inOrder}`;
  return sql<Found>`
    with scanned as materialized (
      select ${inOrder} ${range} limit ${scanned} + 1
    ), scanned_to as materialized (
      select ${inOrder}, (select count(*) from scanned) > ${scanned} as is_cut from (select * from scanned limit ${scanned}) as range
        order by ${inReverse} limit 1
    )
    select
      not ${p.isCursor} or exists (select from events where (${inOrder}) = ${position}) as is_known,
      scanned_to.epoch as scanned_epoch, scanned_to.transaction_id as scanned_transaction_id, scanned_to.sequence as scanned_sequence,
      scanned_to.is_cut,
      found.*
    from (select) as one left join scanned_to on true left join lateral (
      select *, count(*) over () as found_count,
        coalesce(sum(octet_length(data)) over (order by ${inOrder} rows between unbounded preceding and 1 preceding), 0) as bytes_before
      from (
        select ${eventColumns(scope, audience)} from (select * ${range} limit ${scanned}) as events
        where ${matches} order by ${inOrder} limit ${p.limit}
      ) as page
    ) as found on bytes_before < ${p.maxBytes}
    order by found.epoch, found.transaction_id, found.sequence
  `;
}

const statementFor = (audience: EventAudience) =>
  new Statement<'scoped', Input, Found>(
    (p: Placeholders<Input>, scope) => ({ compile: () => selectEvents(p, scope, audience).compile(queries) }),
    byPosition,
  );

const statements: Record<EventAudience, Statement<'scoped', Input, Found>> = {
  user: statementFor('user'),
  application: statementFor('application'),
  webhook: statementFor('webhook'),
};

interface Named {
  ids: readonly string[];
  times: readonly string[];
  maxBytes: number;
}

type NamedEvent = EventRow & {
  /** Number of the event among the named ones, from 1 on. */
  place: number;
  /** Number of visible events, also those that their size excludes. */
  foundCount: number;
};

const findEvents = new Statement<'scoped', Named, NamedEvent>((p: Placeholders<Named>, scope) => ({
  compile: () =>
    sql<NamedEvent>`
      select * from (
        select *, count(*) over () as found_count,
          coalesce(sum(octet_length(data)) over (order by place rows between unbounded preceding and 1 preceding), 0) as bytes_before
        from (
          select ${eventColumns(scope, 'webhook')}, place
          from unnest(${p.ids}::uuid[], ${p.times}::timestamptz[]) with ordinality as named (named_id, named_time, place)
          join journal as events on id = named_id and occurred_at = named_time
          where transaction_id is not null and ${eventVisible(scope, 'webhook')}
        ) as visible
      ) as sized where bytes_before < ${p.maxBytes} order by place
    `.compile(queries),
}));

/**
 * Returns those of these events that a webhook with the scope may still see and that are kept, in the given order.
 * @param maxBytes how much data they have together; the first event may have more
 * @returns `count`: how many of the named events this is about. The others did not fit
 */
export async function findEventsForWebhook(
  scoped: Pick<StatementRunner<'scoped'>, 'all'>,
  named: readonly { eventId: string; eventOccurredAt: string }[],
  maxBytes: number,
): Promise<{ events: EventRow[]; count: number }> {
  const [ids, times] = [named.map(({ eventId }) => eventId), named.map(({ eventOccurredAt }) => eventOccurredAt)];
  const events = await scoped.all(findEvents, { ids, times, maxBytes });
  const last = events.at(-1);
  return { events, count: last && last.foundCount > events.length ? last.place : named.length };
}

/**
 * Returns the next events that the reader may see, at most 5,000 events further and with about 8 MiB of data. A reader that continues at the position of the
 * page gets each event once. An event is delivered when all transactions that started before its own have ended. Read the primary: a standby may know fewer
 * running transactions.
 * @throws UnknownEventPositionError
 */
export async function readEvents(
  scoped: Pick<StatementRunner<'scoped'>, 'all'>,
  audience: EventAudience,
  { after, isCursor, limit, maxBytes = defaultMaxBytes, ...filters }: EventQuery,
): Promise<EventPage> {
  const isPosition = isCursor && comparePositions(after, firstPosition) !== 0;
  // One event more than the page shows whether there are more.
  const rows = await scoped.all(statements[audience], { ...after, ...filters, isCursor: isPosition, limit: limit + 1, maxBytes });
  const [first] = rows;
  if (!first?.isKnown) throw new UnknownEventPositionError(after);
  if (first.scannedEpoch === null) return { events: [], position: after, hasMore: false };
  const { scannedEpoch: epoch, scannedTransactionId: transactionId, scannedSequence: sequence } = first;
  const events = first.id === null ? [] : rows.slice(0, limit);
  const last = events.at(-1);
  // The page is full, by number or by size.
  if (last && first.foundCount > events.length) return { events, position: positionIn(last), hasMore: true };
  return { events, position: { epoch, transactionId, sequence }, hasMore: first.isCut };
}

const positionIn = ({ epoch, transactionId, sequence }: EventPosition): EventPosition => ({ epoch, transactionId, sequence });
