import { type Expression, expressionBuilder, sql, type SqlBool } from 'kysely';
import type { Row } from '../scope/unscoped-tables.ts';
import type { DB } from '../schema.gen.ts';
import { inScope, type ScopeParameters } from '../scope/scope.ts';
import { queries } from '../sql/compile.ts';
import { plannedEachTime } from '../sql/planner.ts';
import { ifGiven, type Placeholders } from '../sql/placeholders.ts';
import { Statement } from '../queries/statement.ts';
import { actorVisible, entryOfOrganization, entryOfTenant, recordIdVisible, recordIsDocument } from './entry-scope.ts';

export interface EntryFilters {
  startDate?: string | undefined;
  endDate?: string | undefined;
  actorId?: string | undefined;
  operation?: string | undefined;
  recordType?: string | undefined;
  recordId?: string | undefined;
  organizationId?: string | undefined;
  tenantId?: string | undefined;
  outcome?: Row<'auditEntries'>['outcome'] | undefined;
}

export interface EntryQuery extends EntryFilters {
  /** Only entries before this position. */
  beforeTime?: string | undefined;
  beforeId?: string | undefined;
  /** Undefined: all. */
  limit?: number | undefined;
}

/** A changed row beside the record. */
export interface RelatedChange {
  type: string;
  id: string;
  /** The organization of an updated row. The values of other rows name it. Absent in entries from before migration 0020. */
  organizationId?: string;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
}

/** An audit entry that the caller may see. It still has the values of all records, all related rows and all counts. */
export interface VisibleEntry extends Omit<Row<'auditEntries'>, 'related' | 'cascade'> {
  related: RelatedChange[];
  /** Numbers of records; of an export `rows` and `filters`. */
  cascade: Record<string, unknown>;
  /** Whether the entry belongs to the active tenant. */
  isOfTenant: boolean;
  /** Whether the organization of the entry is in the caller's scope now. */
  organizationInScope: boolean;
  /** The organizations of the related rows, and the earlier one of an attachment, that are in the caller's scope now. */
  organizationsInScope: string[];
  /** Whether the record is an attachment that `/service` lists as a document. */
  isDocument: boolean;
}

type Query = Placeholders<EntryQuery>;

const eb = expressionBuilder<DB, 'auditEntries'>();
const entries = queries.selectFrom('auditEntries');

/** A value that the caller may not see matches no filter: otherwise the filter would reveal it. */
function matches(p: Query, scope: ScopeParameters): Expression<SqlBool> {
  return eb.and([
    ifGiven(p.startDate, (time) => eb('auditEntries.occurredAt', '>=', time)),
    ifGiven(p.endDate, (time) => eb('auditEntries.occurredAt', '<=', time)),
    ifGiven(p.operation, (operation) => eb('auditEntries.operation', '=', operation)),
    ifGiven(p.recordType, (type) => eb('auditEntries.recordType', '=', type)),
    // Ids of records are in lower case (D-4). A refused entry has the id as it was sent.
    ifGiven(p.recordId, (id) => eb.and([sql<SqlBool>`audit_entries.record_id in (${id}, lower(${id}))`, recordIdVisible(scope)])),
    ifGiven(p.organizationId, (id) => eb('auditEntries.organizationId', '=', id)),
    ifGiven(p.outcome, (outcome) => eb('auditEntries.outcome', '=', outcome)),
    ifGiven(p.actorId, (id) => eb.and([eb('auditEntries.actorId', '=', id), actorVisible(scope)])),
    ifGiven(p.tenantId, (id) => eb.and([eb('auditEntries.tenantId', '=', id), actorVisible(scope)])),
    // PostgreSQL skips partitions by the first condition, and finds the position in an index by the second.
    ifGiven(p.beforeTime, (time) => eb('auditEntries.occurredAt', '<=', time)),
    ifGiven(p.beforeTime, (time) => sql<SqlBool>`(audit_entries.occurred_at, audit_entries.id) < (${time}, ${p.beforeId})`),
  ]);
}

/** Selects one page of the entries with this property. */
const pageOf = (p: Query, scope: ScopeParameters, property: Expression<SqlBool>) =>
  entries
    .selectAll()
    .where(property)
    .where(matches(p, scope))
    .orderBy('auditEntries.occurredAt', 'desc')
    .orderBy('auditEntries.id', 'desc')
    .limit(most(p));

/** Without a limit, all entries. */
const most = (p: Query) => sql<number>`${p.limit}`;

/** Selects one page for the tenant and one for the organizations, each by its own index, and merges them. For an `or`, PostgreSQL would read the whole table. */
function visiblePage(p: Query, scope: ScopeParameters) {
  if (scope.kind === 'all' || scope.kind === 'none') return pageOf(p, scope, eb.lit(scope.kind === 'all'));
  const ofTenant = queries.selectFrom(pageOf(p, scope, entryOfTenant(scope)).as('ofTenant')).selectAll();
  const ofOrganizations = queries.selectFrom(pageOf(p, scope, entryOfOrganization(scope)).as('ofOrganizations')).selectAll();
  return queries
    .selectFrom(ofTenant.unionAll(ofOrganizations).as('either'))
    .selectAll()
    .distinctOn(['either.occurredAt', 'either.id'])
    .orderBy('either.occurredAt', 'desc')
    .orderBy('either.id', 'desc')
    .limit(most(p));
}

/** Shows a value only under a condition. */
const shownIf = (condition: Expression<SqlBool>, column: 'actorId' | 'tenantId' | 'recordId') =>
  sql<string | null>`case when ${condition} then ${sql.ref(`auditEntries.${column}`)} end`.as(column);

/** The live organizations in scope among those that the entry names beside its own. */
const organizationsInScope = (scope: ScopeParameters) =>
  sql<string[]>`array(
    select organizations.id from organizations where ${inScope('organizations', scope)} and organizations.id = any (array(
      select coalesce(related_row ->> 'organizationId', related_row -> 'after' ->> 'organizationId', related_row -> 'before' ->> 'organizationId')::uuid
      from jsonb_array_elements(audit_entries.related) as related_row
    ) || (audit_entries.before ->> 'entityId')::uuid)
  )`.as('organizationsInScope');

/** Selects the entries of the active tenant and those of the organizations in scope. The scope `all` has all entries. */
export const listVisibleEntries = new Statement<'scoped', EntryQuery, VisibleEntry>(
  (p: Query, scope) =>
    queries
      .selectFrom(visiblePage(p, scope).as('auditEntries'))
      .select(['id', 'occurredAt', 'outcome', 'code', 'actorKind', 'requestId', 'operation', 'organizationId', 'recordType'])
      .select(['before', 'after', 'related', 'cascade'])
      .select([shownIf(actorVisible(scope), 'actorId'), shownIf(actorVisible(scope), 'tenantId')])
      .select([shownIf(recordIdVisible(scope), 'recordId'), organizationsInScope(scope)])
      .select(sql<boolean>`${'tenantId' in scope ? entryOfTenant(scope) : eb.lit(false)}`.as('isOfTenant'))
      .select(sql<boolean>`${entryOfOrganization(scope)}`.as('organizationInScope'))
      .select(sql<boolean>`${recordIsDocument}`.as('isDocument'))
      .orderBy('occurredAt', 'desc')
      .orderBy('id', 'desc'),
  plannedEachTime,
);
