import { sql } from 'kysely';
import { scopedStatement, Statement } from '../queries/statement.ts';
import type { StatementRunner } from '../queries/runner.ts';
import { queries } from '../sql/compile.ts';
import { now } from '../sql/now.ts';
import type { Placeholders } from '../sql/placeholders.ts';
import { type LoggedDelivery, loggedColumns } from './find-deliveries.ts';
import { isDeliverable } from './deliverable-webhooks.ts';

interface DeliveryKey {
  /** Id of the webhook. */
  id: string;
  deliveryId: string;
}

/**
 * Locks the progress of a webhook in scope until the end of the transaction. Whoever adds deliveries or ends one holds this lock, so that each knows what the
 * others have done: of the pending deliveries of a record, only the first has a time for its next attempt. No row if the webhook is not in scope.
 */
export const lockWebhookProgress = scopedStatement((scoped, p: Placeholders<{ id: string }>) =>
  scoped
    .webhooks()
    .innerJoin('webhookProgress as progress', 'progress.webhookId', 'webhooks.id')
    .select(['progress.epoch', 'progress.transactionId', 'progress.sequence'])
    .select(sql.raw<boolean>(isDeliverable).as('isDelivered'))
    .where('webhooks.id', '=', p.id)
    .forUpdate('progress'),
);

const returned = sql.join(loggedColumns.map((column) => sql.ref(`delivery.${column}`)));
const key = (p: Placeholders<DeliveryKey>) => sql`webhook_id = ${p.id} and id = ${p.deliveryId}`;
/** Whether two deliveries of a webhook are about the same record. */
const sameRecord = (one: string, other: string) =>
  sql`(${sql.ref(one)}.webhook_id, ${sql.ref(one)}.record_type, ${sql.ref(one)}.record_id)
    = (${sql.ref(other)}.webhook_id, ${sql.ref(other)}.record_type, ${sql.ref(other)}.record_id)`;

const retry = new Statement<'scoped', DeliveryKey, LoggedDelivery>((p: Placeholders<DeliveryKey>) => ({
  compile: () =>
    sql<LoggedDelivery>`
      with delivery as (
        update webhook_deliveries as retried set status = 'PENDING', next_attempt_at = case when not exists (
          select from webhook_deliveries as earlier
          where ${sameRecord('earlier', 'retried')} and earlier.status = 'PENDING' and earlier.sequence < retried.sequence
        ) then ${now} end
        where ${key(p)} returning *
      ), held as (
        update webhook_deliveries as later set next_attempt_at = null from delivery
        where ${sameRecord('later', 'delivery')} and later.status = 'PENDING' and later.sequence > delivery.sequence
          and later.next_attempt_at is not null
      )
      select ${returned} from delivery
    `.compile(queries),
}));

const skip = new Statement<'scoped', DeliveryKey, LoggedDelivery>((p: Placeholders<DeliveryKey>) => ({
  compile: () =>
    sql<LoggedDelivery>`
      with delivery as (
        update webhook_deliveries set status = case status when 'PENDING' then 'FAILED' else status end, next_attempt_at = null
        where ${key(p)} returning *
      ), released as (
        update webhook_deliveries as released set next_attempt_at = ${now}
        where next_attempt_at is null and id = (
          select pending.id from webhook_deliveries as pending, delivery
          where ${sameRecord('pending', 'delivery')} and pending.status = 'PENDING' and pending.id <> delivery.id
          order by pending.sequence limit 1
        )
      )
      select ${returned} from delivery
    `.compile(queries),
}));

type Scoped = Pick<StatementRunner<'scoped'>, 'first'>;

/**
 * Makes a delivery pending, whatever its status. It is due now, and later deliveries of its record wait for it; if an earlier one is pending, it waits for that.
 * Call it after `lockWebhookProgress`, which checks the scope. @param absent returns the error to throw if the webhook has no such delivery
 */
export const retryDelivery = (scoped: Scoped, delivery: DeliveryKey, absent: () => Error): Promise<LoggedDelivery> =>
  scoped.first(retry, delivery, absent);

/**
 * Ends a pending delivery as FAILED, and makes the next one of its record due. A delivery that has ended stays as it is. Call it after `lockWebhookProgress`, which
 * checks the scope. @param absent returns the error to throw if the webhook has no such delivery
 */
export const skipDelivery = (scoped: Scoped, delivery: DeliveryKey, absent: () => Error): Promise<LoggedDelivery> =>
  scoped.first(skip, delivery, absent);
