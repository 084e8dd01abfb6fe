import { type Compilable, type SelectQueryBuilder, sql } from 'kysely';
import type { IdsQuery } from '../scope/organizations-in-scope.ts';
import type { ScopeParameters } from '../scope/scope.ts';
import { type ScopedTables, scopedTables } from '../scope/scoped-tables.ts';
import { queries } from '../sql/compile.ts';
import { type Placeholders, whenGiven } from '../sql/placeholders.ts';
import { Statement, type StatementKind } from './statement.ts';

/** How a long list is read if the input has no filters. */
export interface LongList {
  /** Selects the ids of all rows, from an index in which they are sorted. */
  ids: (scoped: ScopedTables) => IdsQuery;
  count: (scoped: ScopedTables) => Compilable<{ total: number }>;
  /** The id of the list's rows, by which it is sorted in descending order. */
  id: string;
}

export interface LongListPage {
  limit: number;
  /** Number of rows before the page. Undefined for the first page, and with `after`. */
  before: number | undefined;
  /** The id after which the page starts. */
  after: string | undefined;
}

/** The statements of a long list without filters. */
export interface LongListStatements<Kind extends StatementKind, Row> {
  rows: Statement<Kind, LongListPage, Row>;
  count: Statement<Kind, object, { total: number }>;
}

/** The highest limit of a page (LISTS-2), and the row after it. */
const mostRows = 101;

/** @param rows selects all rows, without the predicate of the scope */
export function longListStatements<Kind extends StatementKind, Row>(
  list: LongList,
  rows: SelectQueryBuilder<never, never, Row>,
): LongListStatements<Kind, Row> {
  return {
    rows: new Statement((p: Placeholders<LongListPage>, scope) => rowsOf(pageOf(list, p, scope), list, rows)),
    count: new Statement((_, scope) => list.count(scopedTables(scope))),
  };
}

/**
 * Selects the ids of a page. Without the constant limit of the first page, PostgreSQL would expect a tenth of all rows, and plan each execution for its limit:
 * that takes as long as reading the page.
 */
function pageOf(list: LongList, { limit, before, after }: Placeholders<LongListPage>, scope: ScopeParameters): IdsQuery {
  const all = list.ids(scopedTables(scope));
  const ids = whenGiven(after, all, (query, id) => queries.selectFrom(query.as('ids')).select('id').where('id', '<', id)).orderBy(
    'id',
    'desc',
  );
  const first = queries
    .selectFrom(ids.limit(sql.lit(mostRows)).as('ids'))
    .select('id')
    .orderBy('id', 'desc')
    .limit(limit);
  return whenGiven(before, first, (_, offset) => ids.limit(limit).offset(offset));
}

/**
 * Selects the row of each id. `offset 0` keeps PostgreSQL from joining in another way, so that one plan serves small tenants, large tenants and far pages. It
 * assumes that a tenant's organizations are spread evenly over all, and would read all newer ones of other tenants before the first of an old tenant.
 */
function rowsOf<Row>(page: IdsQuery, list: LongList, rows: SelectQueryBuilder<never, never, Row>): Compilable<Row> {
  const row = rows.where(sql<boolean>`${sql.ref(list.id)} = page.id`).offset(sql.lit(0));
  return queries
    .selectFrom(page.as('page'))
    .innerJoinLateral(row.as('row'), (join) => join.onTrue())
    .selectAll('row')
    .orderBy('page.id', 'desc') as unknown as Compilable<Row>;
}
