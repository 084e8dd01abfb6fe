import { sql } from 'kysely';
import type { BoundStatement } from '../connection/executor.ts';
import { statement } from '../queries/statement.ts';
import type { Placeholders } from '../sql/placeholders.ts';
import type { Actor } from './record-write.ts';

/** An export of records. */
export interface Export {
  /** The procedure's name, such as `users.export`. */
  operation: string;
  actor: Actor;
  requestId: string;
  /** The active tenant. */
  tenantId: string | null;
  /** Null for audit entries, which are no records. */
  recordType: string | null;
  /** What selected the records: the filters and the sort of the request. */
  filters: object;
  /** The number of records that were sent. */
  rows: number;
}

interface Parameters extends Omit<Export, 'actor'> {
  actorKind: Actor['kind'];
  actorId: string | null;
}

const record = statement((db, p: Placeholders<Parameters>) =>
  db.selectNoFrom(
    sql`record_export(
      ${p.operation}, ${p.actorKind}, ${p.actorId}, ${p.requestId}, ${p.tenantId}, ${p.recordType}, ${p.filters}, ${p.rows}
    )`.as('recorded'),
  ),
);

/** Returns the statement that adds an audit entry for an export. It adds no event. */
export const recordExport = ({ actor, ...exported }: Export): BoundStatement =>
  record.bind({ ...exported, actorKind: actor.kind, actorId: actor.id }, { kind: 'none' });
