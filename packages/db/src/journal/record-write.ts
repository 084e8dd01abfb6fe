import type { EventType } from '@profile-service/contracts';
import { sql } from 'kysely';
import type { BoundStatement } from '../connection/executor.ts';
import type { Placeholders } from '../sql/placeholders.ts';
import { statement } from '../queries/statement.ts';

/** Who does something: a user, an application (by the id of its tenant), or the service itself, such as a job. */
export type Actor = { kind: 'USER' | 'APPLICATION'; id: string } | { kind: 'SYSTEM'; id: null };

/** What an audit entry says besides the changes. */
export interface WriteOrigin {
  /** The procedure's name, such as `users.create`. */
  operation: string;
  actor: Actor;
  requestId: string | null;
  /** The active tenant. */
  tenantId: string | null;
  /** The events that the operation may emit, in order of precedence. */
  events: readonly EventType[];
  /** Which record the operation is about, if it changes several of one type. */
  recordId: string | null;
}

/** What a part of a transaction has changed. */
export interface RecordedPart {
  /** Whether it has changed nothing that the API shows. */
  isUnchanged: boolean;
  /** Whether it has changed or deleted a record that existed before. */
  hasBefore: boolean;
}

interface Parameters extends Omit<WriteOrigin, 'actor'> {
  actorKind: Actor['kind'];
  actorId: string | null;
}

const record = statement((db, p: Placeholders<Parameters>) =>
  db.selectNoFrom(
    sql`record_write(
      ${p.operation}, ${p.actorKind}, ${p.actorId}, ${p.requestId}, ${p.tenantId}, ${p.events}, ${p.recordId}
    )`.as('recorded'),
  ),
);

/**
 * Returns the statement that adds the audit entry and the event of a transaction, from the rows that it has changed. It must be the transaction's last
 * statement. It adds nothing if the transaction has changed nothing that the API shows.
 */
export function recordWrite({ actor, ...origin }: WriteOrigin): BoundStatement {
  return record.bind({ ...origin, actorKind: actor.kind, actorId: actor.id }, { kind: 'none' });
}

/*
 * PostgreSQL evaluates a list of expressions in its order.
 */
const recordPart = statement((db, p: Placeholders<Parameters>) =>
  db.selectNoFrom([
    sql<boolean>`coalesce(current_setting('profile.changes', true), '') = ''`.as('isUnchanged'),
    sql<boolean>`coalesce(strpos(current_setting('profile.changes', true), '"before":'), 0) > 0`.as('hasBefore'),
    sql`record_write(
      ${p.operation}, ${p.actorKind}, ${p.actorId}, ${p.requestId}, ${p.tenantId}, ${p.events}, ${p.recordId}
    )`.as('recorded'),
    sql`set_config('profile.changes', '', true)`.as('changes'),
    sql`set_config('profile.uncaptured', '', true)`.as('uncaptured'),
  ]),
);

/**
 * Returns the statement that adds the audit entry and the event of a part of a transaction, as `recordWrite`, and forgets its changes: the next part has entries
 * of its own. Its row is a `RecordedPart`.
 */
export const recordWriteOfPart = ({ actor, ...origin }: WriteOrigin): BoundStatement =>
  recordPart.bind({ ...origin, actorKind: actor.kind, actorId: actor.id }, { kind: 'none' });
