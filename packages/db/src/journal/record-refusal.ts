import { sql } from 'kysely';
import type { BoundStatement } from '../connection/executor.ts';
import type { Placeholders } from '../sql/placeholders.ts';
import { statement } from '../queries/statement.ts';
import type { Actor } from './record-write.ts';

/** A request that was refused with 403. */
export interface Refusal {
  /** The procedure's name, such as `users.create`. */
  operation: string;
  /** The error code. */
  code: string;
  actor: Actor;
  requestId: string;
  /** The active tenant. */
  tenantId: string | null;
  recordType: string | null;
  /** As the client sent it: it may belong to no record. */
  recordId: string | null;
}

interface Parameters extends Omit<Refusal, 'actor'> {
  actorKind: Actor['kind'];
  actorId: string | null;
}

const record = statement((db, p: Placeholders<Parameters>) =>
  db.selectNoFrom(
    sql`record_refusal(
      ${p.operation}, ${p.code}, ${p.actorKind}, ${p.actorId}, ${p.requestId}, ${p.tenantId}, ${p.recordType}, ${p.recordId}
    )`.as('recorded'),
  ),
);

/** Returns the statement that adds an audit entry for the refusal, unless the actor has 10 of them in the last minute. */
export const recordRefusal = ({ actor, ...refusal }: Refusal): BoundStatement =>
  record.bind({ ...refusal, actorKind: actor.kind, actorId: actor.id }, { kind: 'none' });
