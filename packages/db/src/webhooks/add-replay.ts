import type { EventType } from '@profile-service/contracts';
import { sql } from 'kysely';
import { byPosition, comparePositions, type EventPosition, inOrder, inReverse, positionOf } from '../journal/event-position.ts';
import { eventVisible } from '../journal/event-scope.ts';
import { findEventStart, findLastEvent } from '../journal/find-event-start.ts';
import { eventType } from '../journal/read-events.ts';
import type { StatementRunner } from '../queries/runner.ts';
import { scopedStatement, Statement } from '../queries/statement.ts';
import { queries } from '../sql/compile.ts';
import { fieldsOf, type Placeholders } from '../sql/placeholders.ts';

/** Which events are sent again. Both times are included. */
export interface ReplayFilters {
  /** Timestamps with milliseconds. */
  startDate: string;
  endDate: string;
  types: readonly EventType[];
  /** Only events whose last delivery to the webhook has failed. */
  onlyFailed: boolean;
}

/** A part of the events: those after `after`, up to `upTo`. */
export interface EventRange {
  after: EventPosition;
  upTo: EventPosition;
}

/** How many events one batch compares with the filters. */
const batchSize = 5_000;
/** How many events until a time are compared, as in `findEventStart`: in the order of positions, another one may be the last. */
const maxCompared = 5_000;

const findLastUntil = new Statement<'scoped', { endDate: string }, EventPosition>((p: Placeholders<{ endDate: string }>) => ({
  compile: () =>
    sql<EventPosition>`
      select ${inOrder} from (
        select ${inOrder} from events where occurred_at <= ${p.endDate} order by occurred_at desc limit ${sql.lit(maxCompared)}
      ) as earlier order by ${inReverse} limit 1
    `.compile(queries),
}));

type Scoped = Pick<StatementRunner<'scoped'>, 'first'>;

/**
 * Returns the range of the events of a time. Undefined if there is none.
 * @param end the last event to send; default: the last one that can be delivered now
 */
export async function findReplayRange(
  scoped: Scoped,
  { startDate, endDate }: { startDate: string; endDate?: string | undefined },
  end?: EventPosition,
): Promise<EventRange | undefined> {
  const limit = end ?? (await findLastEvent(scoped));
  const last = endDate === undefined ? limit : await scoped.first(findLastUntil, { endDate });
  if (!last) return undefined;
  const { after } = await findEventStart(scoped, startDate);
  return { after, upTo: comparePositions(last, limit) < 0 ? last : limit };
}

/** Returns the tenant and the types of a webhook, and locks its progress as `lockWebhookProgress`. */
export const lockReplayedWebhook = scopedStatement((scoped, p: Placeholders<{ id: string }>) =>
  scoped
    .webhooks()
    .innerJoin('webhookProgress as progress', 'progress.webhookId', 'webhooks.id')
    .select(['webhooks.tenantId', 'webhooks.types'])
    .where('webhooks.id', '=', p.id)
    .forUpdate('progress'),
);

interface Batch extends ReplayFilters, EventRange {
  /** Id of the webhook. */
  id: string;
}

/** Reads the journal by a limit, and the upper bound afterwards, as `readEvents`. */
const addBatch = new Statement<'scoped', Batch, EventPosition>(
  (p: Placeholders<Batch>, scope) => ({
    compile() {
      const [after, upTo] = [positionOf(fieldsOf(p.after)), positionOf(fieldsOf(p.upTo))];
      const range = sql`from journal as events
        where transaction_id is not null and (${inOrder}) > ${after} order by ${inOrder} limit ${sql.lit(batchSize)}`;
      return sql<EventPosition>`
        with scanned_to as materialized (
          select ${inOrder} from (select ${inOrder} ${range}) as scanned order by ${inReverse} limit 1
        ), added as (
          insert into webhook_deliveries (webhook_id, event_id, event_occurred_at, type, record_type, record_id, next_attempt_at)
          select ${p.id}::uuid, id, occurred_at, ${eventType}, record_type, record_id,
            case when row_number() over (partition by record_type, record_id order by ${inOrder}) = 1 and not exists (
              select from webhook_deliveries as earlier
              where earlier.webhook_id = ${p.id}::uuid and earlier.status = 'PENDING'
                and earlier.record_type = events.record_type and earlier.record_id = events.record_id
            ) then now() end
          from (select * ${range}) as events
          where (${inOrder}) <= ${upTo} and occurred_at between ${p.startDate} and ${p.endDate}
            and ${eventType} = any (${p.types}) and record_id <> ${p.id}::text and ${eventVisible(scope, 'webhook')}
            and (not ${p.onlyFailed}::boolean or 'FAILED' = (
              select status from webhook_deliveries as delivery
              where delivery.webhook_id = ${p.id}::uuid and delivery.event_id = events.id order by delivery.sequence desc limit 1
            ))
          order by ${inOrder}
        )
        select ${inOrder} from scanned_to
      `.compile(queries);
    },
  }),
  byPosition,
);

/**
 * Adds deliveries for the events of a replay among the next 5,000 events of all tenants, as far as the webhook sees them: with the scope `all` or that of its
 * tenant. Hold the lock of `lockReplayedWebhook`.
 * @returns the position up to which it has got. Undefined if there are no more events of the time
 */
export const addReplayBatch = (scoped: Scoped, batch: Batch): Promise<EventPosition | undefined> => scoped.first(addBatch, batch);
