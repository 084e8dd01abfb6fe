import { type ExpressionBuilder, sql } from 'kysely';
import { scopedStatement, Statement } from '../queries/statement.ts';
import type { DB } from '../schema.gen.ts';
import { scopedTables } from '../scope/scoped-tables.ts';
import type { Row } from '../scope/unscoped-tables.ts';
import { plannedEachTime } from '../sql/planner.ts';
import { ifGiven, type Placeholders } from '../sql/placeholders.ts';
import type { LoggedAttempt } from './record-attempts.ts';

type Columns = Omit<Row<'webhookDeliveries'>, 'webhookId' | 'eventOccurredAt' | 'attempts'>;

/** A delivery as the delivery log shows it. */
export type LoggedDelivery = Columns & { attempts: LoggedAttempt[] };

/** A delivery of a webhook in scope. All fields are null if the webhook has no such delivery. */
export type FoundDelivery = LoggedDelivery | { [Field in keyof LoggedDelivery]: null };

export interface DeliveryQuery {
  /** Id of the webhook. */
  id: string;
  status?: Columns['status'] | undefined;
  types?: readonly string[] | undefined;
  eventId?: string | undefined;
  /** Only deliveries before this one. */
  before?: number | undefined;
  limit: number;
}

/** The columns of the delivery log. */
export const loggedColumns = [
  'id',
  'sequence',
  'eventId',
  'type',
  'recordType',
  'recordId',
  'status',
  'nextAttemptAt',
  'createdAt',
  'attempts',
] as const satisfies (keyof LoggedDelivery)[];

/** Returns one delivery, by the id of its webhook and its own. No row if the webhook is not in scope. */
export const getDelivery = scopedStatement((scoped, p: Placeholders<{ id: string; deliveryId: string }>) =>
  scoped
    .webhooks()
    .leftJoin('webhookDeliveries as delivery', (join) =>
      join.onRef('delivery.webhookId', '=', 'webhooks.id').on('delivery.id', '=', p.deliveryId),
    )
    .select(loggedColumns.map((column) => `delivery.${column}` as const))
    .where('webhooks.id', '=', p.id)
    .$castTo<FoundDelivery>(),
);

const page = (eb: ExpressionBuilder<Pick<DB, 'webhooks' | 'webhookDeliveries'>, 'webhooks'>, p: Placeholders<DeliveryQuery>) =>
  eb
    .selectFrom('webhookDeliveries')
    .select(loggedColumns)
    .whereRef('webhookDeliveries.webhookId', '=', 'webhooks.id')
    .where(({ and, ...each }) =>
      and([
        ifGiven(p.status, (status) => each.eb('status', '=', status)),
        ifGiven(p.types, (types) => sql`type = any (${types})`),
        ifGiven(p.eventId, (eventId) => each.eb('eventId', '=', eventId)),
        ifGiven(p.before, (before) => each.eb('sequence', '<', before)),
      ]),
    )
    .orderBy('sequence', 'desc')
    .limit(sql<number>`${p.limit}`)
    .as('delivery');

/** Lists deliveries of a webhook, newest first. No row if the webhook is not in scope; one row without values if it has no such delivery. */
export const listDeliveries = new Statement<'scoped', DeliveryQuery, FoundDelivery>(
  (p: Placeholders<DeliveryQuery>, scope) =>
    scopedTables(scope)
      .webhooks()
      // A join of its own would read and sort all deliveries of the webhook.
      .leftJoinLateral(
        (eb) => page(eb as never, p),
        (join) => join.onTrue(),
      )
      .select(loggedColumns.map((column) => `delivery.${column}` as const))
      .where('webhooks.id', '=', p.id)
      .orderBy('delivery.sequence', 'desc'),
  plannedEachTime,
);
