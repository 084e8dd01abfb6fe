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
