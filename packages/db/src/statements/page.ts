import { type Compilable, type Kysely, type SelectQueryBuilder, sql } from 'kysely';
import type { Executor } from '../execution/executor.ts';
import type { HandlerTables } from '../handler-tables.ts';
import type { DB } from '../schema.gen.ts';
import type { OrganizationScope } from '../scope.ts';
import { type ScopedTables, scopedTables } from '../scoped-tables.ts';
import { queries } from './compile.ts';
import { Placeholder, type Placeholders, type Values } from './placeholders.ts';
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
}

interface Total {
  total: number;
}

type AnySelect<Row> = SelectQueryBuilder<never, never, Row>;
type Order<Query> = (query: Query) => Compilable;

/**
 * Declares a list of rows from unscoped tables.
 * @param order must be total, so that pages neither repeat nor skip rows
 * @param variants optional fields that have their own index: each combination of them has its own text
 */
export function pageStatement<Tables, Table extends keyof Tables, Row, Input, Variant extends string = never>(
  build: (db: Kysely<HandlerTables>, p: Placeholders<Input, Variant>) => SelectQueryBuilder<Tables, Table, Row>,
  order: Order<SelectQueryBuilder<Tables, Table, Row>>,
  variants: Variant[] = [],
): PageStatement<'unscoped', Input, Row> {
  return statementsOf((p) => build(queries as unknown as Kysely<HandlerTables>, p), order, variants);
}

/**
 * Same as `pageStatement`, for rows in the caller's scope.
 * @param unfilteredCount counts the rows of an input without filters. By default they are counted like those of other inputs.
 */
export function scopedPageStatement<Table extends keyof DB, Row, Input, Variant extends string = never>(
  build: (scoped: ScopedTables, p: Placeholders<Input, Variant>) => SelectQueryBuilder<DB, Table, Row>,
  order: Order<SelectQueryBuilder<DB, Table, Row>>,
  variants: Variant[] = [],
  unfilteredCount?: (scoped: ScopedTables) => Compilable<Total>,
): PageStatement<'scoped', Input, Row> {
  return {
    ...statementsOf((p, scope) => build(scopedTables(scope), p), order, variants, unfilteredCount !== undefined),
    ...(unfilteredCount && { unfilteredCount: new Statement((_, scope) => unfilteredCount(scopedTables(scope))) }),
  };
}

function statementsOf<Kind extends StatementKind, Query, Input, Row>(
  build: (p: never, scope: OrganizationScope) => Query,
  order: Order<Query>,
  variants: string[],
  hasUnfilteredCount = false,
): PageStatement<Kind, Input, Row> {
  const limit = limitOf(hasUnfilteredCount);
  return {
    rows: new Statement(
      (p, scope) => (order(build(p, scope)) as AnySelect<Row>).limit(sql<number>`${limit}`).offset(sql<number>`${offset}`),
      variants,
    ),
    count: new Statement(
      (p, scope) => (build(p, scope) as AnySelect<Row>).clearSelect().select(sql<number>`count(*)`.as('total')),
      variants,
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
  { rows, count, unfilteredCount }: PageStatement<Kind, Input, Row>,
  input: Input & Paging,
  executor: Executor,
  scope: OrganizationScope,
): Promise<Page<Row>> {
  const before = offsetOf(input);
  let found: Row[];
  let total: number;
  if (unfilteredCount && !isFiltered(input)) {
    const [data, totals] = await executor.runAll([
      { ...rows.bind(input, scope), isPlannedEachTime: true },
      unfilteredCount.bind(input, scope),
    ]);
    [found, total] = [data as Row[], totalOf(totals as Total[])];
  } else {
    found = await rows.list(executor, input, scope);
    const endsHere = found.length <= input.limit && (found.length > 0 || before === 0);
    total = endsHere ? before + found.length : totalOf(await count.list(executor, input, scope));
  }
  return { data: found.slice(0, input.limit), total, totalPages: Math.ceil(total / input.limit), currentPage: input.page };
}
