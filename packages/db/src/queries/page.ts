import { type Compilable, type Kysely, type SelectQueryBuilder, sql } from 'kysely';
import type { Executor } from '../connection/executor.ts';
import type { EncodedRows, EncodeRow } from '../connection/rows.ts';
import type { UnscopedTables } from '../scope/unscoped-tables.ts';
import type { OrganizationScope, ScopeParameters } from '../scope/scope.ts';
import { type LongList, type LongListStatements, longListStatements } from './long-list.ts';
import { type ScopedTables, scopedTables } from '../scope/scoped-tables.ts';
import { queries } from '../sql/compile.ts';
import { plannedEachTime, withoutMergeJoin } from '../sql/planner.ts';
import { noFields, Placeholder, type Placeholders, type Values } from '../sql/placeholders.ts';
import { Statement, type StatementKind } from './statement.ts';

/** The pagination envelope (LISTS-1). */
export interface Page<Row> {
  data: Row[];
  total: number;
  totalPages: number;
  currentPage: number;
}

/** A page whose rows were encoded when they arrived. */
export interface EncodedPage<Row> extends Omit<Page<Row>, 'data'> {
  data: EncodedRows<Row>;
}

/** A page that may have more rows is encoded, if `readPage` can. */
const maxRowsAtOnce = 20;

export interface Paging {
  /** From 1. */
  page: number;
  limit: number;
}

/** The statements of a list: the rows of one page, and the number of all rows. */
export interface PageStatement<Kind extends StatementKind, Input, Row> {
  rows: Statement<Kind, Input & Paging, Row>;
  count: Statement<Kind, Input & Paging, Total>;
  /** For an input without filters. */
  unfiltered?: LongListStatements<Kind, Row>;
}

interface Total {
  total: number;
}

type AnySelect<Row> = SelectQueryBuilder<never, never, Row>;
type Order<Query> = (query: Query) => Compilable;

/**
 * Declares a list of rows from unscoped tables.
 * @param order must be total, so that pages neither repeat nor skip rows
 */
export function pageStatement<Tables, Table extends keyof Tables, Row, Input>(
  build: (db: Kysely<UnscopedTables>, p: Placeholders<Input>) => SelectQueryBuilder<Tables, Table, Row>,
  order: Order<SelectQueryBuilder<Tables, Table, Row>>,
): PageStatement<'unscoped', Input, Row> {
  return statementsOf((p) => build(queries as unknown as Kysely<UnscopedTables>, p), order);
}

/** Same as `pageStatement`, for rows in the caller's scope. */
export function scopedPageStatement<Tables, Table extends keyof Tables, Row, Input>(
  build: (scoped: ScopedTables, p: Placeholders<Input>) => SelectQueryBuilder<Tables, Table, Row>,
  order: Order<SelectQueryBuilder<Tables, Table, Row>>,
  longList?: LongList,
): PageStatement<'scoped', Input, Row> {
  return statementsOf((p, scope) => build(scopedTables(scope), p), order, longList);
}

function statementsOf<Kind extends StatementKind, Query, Input, Row>(
  build: (p: never, scope: ScopeParameters) => Query,
  order: Order<Query>,
  longList?: LongList,
): PageStatement<Kind, Input, Row> {
  return {
    // One row more than the page shows whether it is the last page.
    rows: new Statement(
      (p, scope) => (order(build(p, scope)) as AnySelect<Row>).limit(sql<number>`${limit} + 1`).offset(sql<number>`${offset}`),
      longList ? withoutMergeJoin : plannedEachTime,
    ),
    count: new Statement(
      (p, scope) => (build(p, scope) as AnySelect<Row>).clearSelect().select(sql<number>`count(*)`.as('total')),
      plannedEachTime,
    ),
    // Its ids are those in scope.
    ...(longList && { unfiltered: longListStatements<Kind, Row>(longList, build(noFields<never>(), { kind: 'all' }) as AnySelect<Row>) }),
  };
}

const limit = new Placeholder((input) => (input as unknown as Paging).limit);
const offset = new Placeholder((input) => offsetOf(input as unknown as Paging));
const offsetOf = ({ page, limit: rows }: Paging) => (page - 1) * rows;

/** Whether the input has a field besides those of `Paging`. */
function isFiltered(input: Paging): boolean {
  for (const field in input) {
    if (field !== 'page' && field !== 'limit' && (input as unknown as Values)[field] !== undefined) return true;
  }
  return false;
}

const totalOf = ([row]: Total[]): number => row?.total ?? 0;

/**
 * Reads a page. A count without filters is cheap, so it travels with the page. Other rows are counted only if the page itself does not show the total.
 * @param encodeRow encodes the rows of a page that may have more than 20
 */
export async function readPage<Kind extends StatementKind, Input, Row>(
  { rows, count, unfiltered }: PageStatement<Kind, Input, Row>,
  input: Input & Paging,
  executor: Executor,
  scope: OrganizationScope,
  encodeRow?: EncodeRow,
): Promise<Page<Row> | EncodedPage<Row>> {
  const { page, limit: maxRows } = input;
  const before = offsetOf(input);
  let found = 0;
  const read = async <From>(statement: Statement<Kind, From, Row>, values: From) => {
    if (encodeRow && maxRows > maxRowsAtOnce)
      return statement.encoded(executor, values, scope, (row) => ((found += 1) > maxRows ? undefined : encodeRow(row)));
    const all = await statement.run(executor, values, scope);
    found = all.length;
    return all.slice(0, maxRows);
  };
  let data: Row[] | EncodedRows<Row>;
  let total: number;
  if (unfiltered && !isFiltered(input)) {
    const part = { limit: maxRows, before: before === 0 ? undefined : before };
    const [ofPage, totals] = await Promise.all([read(unfiltered.rows, part), unfiltered.count.run(executor, part, scope)]);
    [data, total] = [ofPage, totalOf(totals)];
  } else {
    data = await read(rows, input);
    const endsHere = found <= maxRows && (found > 0 || before === 0);
    total = endsHere ? before + found : totalOf(await count.run(executor, input, scope));
  }
  return { data, total, totalPages: Math.ceil(total / maxRows), currentPage: page } as Page<Row> | EncodedPage<Row>;
}
