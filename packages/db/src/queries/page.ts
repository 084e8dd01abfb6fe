import { type Compilable, type Kysely, type SelectQueryBuilder, sql } from 'kysely';
import type { Executor } from '../connection/executor.ts';
import type { UnscopedTables } from '../scope/unscoped-tables.ts';
import type { OrganizationScope, ScopeParameters } from '../scope/scope.ts';
import { type ScopedTables, scopedTables } from '../scope/scoped-tables.ts';
import { queries } from '../sql/compile.ts';
import { plannedEachTime, withoutMergeJoin } from '../sql/planner.ts';
import { Placeholder, type Placeholders, type Values } from '../sql/placeholders.ts';
import { Statement, type StatementKind } from './statement.ts';

/** The pagination envelope (LISTS-1). */
export interface Page<Row> {
  data: Row[];
  total: number;
  totalPages: number;
  currentPage: number;
}

export interface Paging {
  /** From 1. */
  page: number;
  limit: number;
}

/** The statements of a list: the rows of one page, and the number of all rows. */
export interface PageStatement<Kind extends StatementKind, Input, Row> {
  rows: Statement<Kind, Input & Paging, Row>;
  count: Statement<Kind, Input & Paging, Total>;
  /** The number of rows without a filter. */
  unfilteredCount?: Statement<Kind, Input & Paging, Total>;
  /** The rows of a page far from the first. */
  farRows?: Statement<Kind, Input & Paging, Row>;
}

/** How a long list is read. */
interface LongList {
  /** Counts the rows of an input without filters. Others are counted one by one. */
  unfilteredCount: (scoped: ScopedTables) => Compilable<Total>;
  /** The unique column by which the list is sorted. To skip the rows before a far page, PostgreSQL then reads only its index. */
  key: string;
}

/** From this offset on, a page is far from the first. */
const farOffset = 1_000;

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
  const limit = limitOf(longList !== undefined);
  const planner = longList ? withoutMergeJoin : plannedEachTime;
  const pageOf = (query: Query) => (order(query) as AnySelect<Row>).limit(sql<number>`${limit}`).offset(sql<number>`${offset}`);
  return {
    rows: new Statement((p, scope) => pageOf(build(p, scope)), planner),
    ...(longList && {
      unfilteredCount: new Statement((_, scope) => longList.unfilteredCount(scopedTables(scope))),
      farRows: new Statement((p, scope) => {
        const key = sql.ref(longList.key);
        const keys = pageOf(build(p, scope)).clearSelect().select(key.as('key'));
        return order((build(p, scope) as AnySelect<Row>).where(sql<boolean>`${key} in (${keys})`) as Query);
      }, planner),
    }),
    count: new Statement(
      (p, scope) => (build(p, scope) as AnySelect<Row>).clearSelect().select(sql<number>`count(*)`.as('total')),
      plannedEachTime,
    ),
  };
}

/** One row more than the page shows whether it is the last page. It is not needed if the total is read anyway. */
const limitOf = (hasUnfilteredCount: boolean) =>
  new Placeholder((input) => {
    const paging = input as unknown as Paging;
    return hasUnfilteredCount && !isFiltered(paging) ? paging.limit : paging.limit + 1;
  });
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
 */
export async function readPage<Kind extends StatementKind, Input, Row>(
  { rows: nearRows, farRows, count, unfilteredCount }: PageStatement<Kind, Input, Row>,
  input: Input & Paging,
  executor: Executor,
  scope: OrganizationScope,
): Promise<Page<Row>> {
  const before = offsetOf(input);
  const rows = before < farOffset ? nearRows : (farRows ?? nearRows);
  let found: Row[];
  let total: number;
  if (unfilteredCount && !isFiltered(input)) {
    const [data, totals] = await Promise.all([rows.run(executor, input, scope), unfilteredCount.run(executor, input, scope)]);
    [found, total] = [data, totalOf(totals)];
  } else {
    found = await rows.run(executor, input, scope);
    const endsHere = found.length <= input.limit && (found.length > 0 || before === 0);
    total = endsHere ? before + found.length : totalOf(await count.run(executor, input, scope));
  }
  return { data: found.slice(0, input.limit), total, totalPages: Math.ceil(total / input.limit), currentPage: input.page };
}
