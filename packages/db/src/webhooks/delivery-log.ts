import { type Expression, type RawBuilder, sql, type SqlBool } from 'kysely';
import { scopedStatement } from '../queries/statement.ts';
import type { Row } from '../scope/unscoped-tables.ts';
import { ifGiven, type Placeholders } from '../sql/placeholders.ts';
import type { LoggedAttempt } from './logged-attempt.ts';

type Columns = Omit<Row<'webhookDeliveries'>, 'webhookId' | 'eventOccurredAt' | 'attempts'> & { attempts: LoggedAttempt[] };

/** A delivery as the delivery log shows it. */
export type LoggedDelivery = Columns;

/** A webhook in scope, with one of its deliveries. Without a delivery, its fields are null. */
export type WebhookWithDelivery = { [Field in keyof Columns]: Columns[Field] | null };

const names = ['id', 'sequence', 'eventId', 'type', 'recordType', 'recordId', 'status', 'nextAttemptAt', 'createdAt'] as const;
/** The columns of the log. */
export const loggedColumns = [...names, 'attempts'] as const;

export interface DeliveryQuery {
  /** Id of the webhook. */
  id: string;
  status?: Row<'webhookDeliveries'>['status'] | undefined;
  types?: readonly string[] | undefined;
  eventId?: string | undefined;
  /** Only deliveries before this one. */
  before?: number | undefined;
  limit: number;
}
