import { type Access, type Endpoint, type List, type Method, records } from '@profile-service/contracts';
import { type Kysely, type SelectQueryBuilder, sql } from 'kysely';
import type { Executor } from '../connection/executor.ts';
import type { EncodedRows, EncodeRow } from '../connection/rows.ts';
import type { UnscopedTables } from '../scope/unscoped-tables.ts';
import type { OrganizationScope, ScopeParameters } from '../scope/scope.ts';
import { type LongList, type LongListStatements, longListStatements } from './long-list.ts';
import { type ScopedTables, scopedTables } from '../scope/scoped-tables.ts';
import { queries } from '../sql/compile.ts';
import { compareColumn } from '../sql/filters.ts';
import { plannedEachTime, withoutMergeJoin } from '../sql/planner.ts';
import { ifGiven, noFields, type OptionalPlaceholder, Placeholder, type Placeholders, type Values } from '../sql/placeholders.ts';
import { directionsOf, isAfter, orderBy, orderOf, type Position } from './order.ts';
import { Statement, type StatementKind } from './statement.ts';

/** What both kinds of pages have in common. */
interface PageRequest {
  filters: Values;
  /** Fields, with `-` before those in descending order. Undefined: the order of the list. */
  sort: readonly string[] | undefined;
  /** The most rows of the page. */
  limit: number;
}

/** A page by its number. */
export interface NumberedPage extends PageRequest {
  /** From 1. */
  page: number;
}

/** A page by the position after which it starts. */
export interface PageAfter extends PageRequest {
  /** Undefined for the first page. */
  after: Position | undefined;
}

/** The rows of a page. Those of a page that may have more than 20 are encoded when they arrive, if the caller gives an encoder. */
type PageRows<Row> = Row[] | EncodedRows<Row>;

const maxRowsAtOnce = 20;

interface Total {
  total: number;
}

/** The statements of a list. */
export interface PageStatement<Kind extends StatementKind, Input, Row> {
  /** The type of the endpoint's input. Only for the compiler. */
  readonly input?: Input;
  readonly list: List;
  /** The rows of a page and one more, which shows whether it is the last page. */
  rowsBy(sort: readonly string[] | undefined): Statement<Kind, Values, Row>;
  /** All rows, for an export. */
  allBy(sort: readonly string[] | undefined): Statement<Kind, Values, Row>;
  readonly count: Statement<Kind, Values, Total>;
  /** For requests without filters, in the order of the list. */
  readonly unfiltered?: LongListStatements<Kind, Row> | undefined;
}

type ListEndpoint<Input> = Endpoint<Method, Access, unknown, Input>;

interface Options {
  /** The columns of fields that have another name, with their table. */
  columns?: Record<string, string>;
  longList?: LongList;
}

/**
 * Declares a list of rows from unscoped tables. The declaration of the endpoint has the filters and the fields by which it is sorted.
 * @param build selects the rows, and applies the filters that are declared with `own`
 */
export function pageStatement<Tables, Table extends keyof Tables, Row, Input>(
  endpoint: ListEndpoint<Input>,
  build: (db: Kysely<UnscopedTables>, p: Placeholders<Input>) => SelectQueryBuilder<Tables, Table, Row>,
): PageStatement<'unscoped', Input, Row> {
  return statementsOf(endpoint, (p) => build(queries as unknown as Kysely<UnscopedTables>, p), {});
}

/** Same as `pageStatement`, for rows in the caller's scope. */
export function scopedPageStatement<Tables, Table extends keyof Tables, Row, Input>(
  endpoint: ListEndpoint<Input>,
  build: (scoped: ScopedTables, p: Placeholders<Input>) => SelectQueryBuilder<Tables, Table, Row>,
  options: Options = {},
): PageStatement<'scoped', Input, Row> {
  return statementsOf(endpoint, (p, scope) => build(scopedTables(scope), p), options);
}

type AnySelect<Row> = SelectQueryBuilder<never, never, Row>;

function statementsOf<Kind extends StatementKind, Input, Row>(
  endpoint: ListEndpoint<Input>,
  build: (p: never, scope: ScopeParameters) => unknown,
  { columns = {}, longList }: Options,
): PageStatement<Kind, Input, Row> {
  const { list } = endpoint;
  if (!list) throw new Error(`${endpoint.path} declares no list`);
  const columnOf = (field: string) => columns[field] ?? `${records[list.record].table}.${field}`;
  const filtered = (p: never, scope: ScopeParameters) => {
    let query = build(p, scope) as AnySelect<Row>;
    for (const [name, { comparison, column = name }] of Object.entries(list.filters)) {
      if (comparison === 'own') continue;
      query = query.where(ifGiven(p[name] as OptionalPlaceholder<unknown>, (value) => compareColumn(comparison, columnOf(column), value)));
    }
    return query.where(ifGiven(p['ids'] as OptionalPlaceholder<unknown>, (ids) => sql`${sql.ref(columnOf(list.key))} = any(${ids})`));
  };
  const sorted = (sort: readonly string[] | undefined) => {
    const fields = orderOf(list, sort, columnOf);
    return new Statement<Kind, Values, Row>(
      (p: never, scope) =>
        filtered(p, scope)
          .where(isAfter(fields))
          .orderBy(sql.join(fields.map(orderBy)))
          .limit(sql<number>`${limit} + 1`)
          .offset(sql<number>`${offset}`),
      longList ? withoutMergeJoin : plannedEachTime,
      // PostgreSQL would keep a text for each sort on each connection.
      isInListOrder(list, sort),
    );
  };
  const ordered = (sort: readonly string[] | undefined, p: never, scope: ScopeParameters) =>
    filtered(p, scope).orderBy(sql.join(orderOf(list, sort, columnOf).map(orderBy)));
  const byOneField = new Map<string, Statement<Kind, Values, Row>>();
  return {
    list,
    rowsBy(sort) {
      // There are too many combinations of fields to keep each.
      if (sort && sort.length > 1) return sorted(sort);
      const [field = list.order] = sort ?? [];
      const statement = byOneField.get(field) ?? sorted(sort);
      byOneField.set(field, statement);
      return statement;
    },
    allBy: (sort) => new Statement((p: never, scope) => ordered(sort, p, scope), undefined, false),
    count: new Statement(
      (p: never, scope) =>
        filtered(p, scope)
          .clearSelect()
          .select(sql<number>`count(*)`.as('total')),
      plannedEachTime,
    ),
    // Its ids are those in scope.
    unfiltered: longList && longListStatements<Kind, Row>(longList, build(noFields<never>(), { kind: 'all' }) as AnySelect<Row>),
  };
}

const limit = new Placeholder((input) => input['limit']);
const offset = new Placeholder((input) => input['offset'] ?? 0);

const isFiltered = (filters: Values): boolean => Object.values(filters).some((value) => value !== undefined);
const isInListOrder = ({ order }: List, sort: readonly string[] | undefined): boolean =>
  sort === undefined || (sort.length === 1 && sort[0] === order);

/** Where statements run. */
interface Target {
  executor: Executor;
  scope: OrganizationScope;
}

/** Reads a page by its number, with the number of all rows. A page past the end is empty, and has the true total. */
export async function readNumberedPage<Kind extends StatementKind, Input, Row>(
  statement: PageStatement<Kind, Input, Row>,
  { filters, sort, limit: most, page }: NumberedPage,
  { executor, scope }: Target,
  encodeRow?: EncodeRow,
): Promise<{ data: PageRows<Row>; total: number }> {
  const before = (page - 1) * most;
  const rows = new LimitedRows<Row>(most, encodeRow);
  const { unfiltered } = statement;
  if (unfiltered && !isFiltered(filters)) {
    // Counting without filters is cheap, so the count travels with the page.
    const [data, totals] = await Promise.all([
      isInListOrder(statement.list, sort)
        ? rows.read(unfiltered.rows, { limit: most, before: before === 0 ? undefined : before, after: undefined }, executor, scope)
        : rows.read(statement.rowsBy(sort), { limit: most, offset: before }, executor, scope),
      unfiltered.count.run(executor, {}, scope),
    ]);
    return { data, total: totals[0]?.total ?? 0 };
  }
  const data = await rows.read(statement.rowsBy(sort), { ...filters, limit: most, offset: before }, executor, scope);
  const endsHere = rows.found <= most && (rows.found > 0 || before === 0);
  if (endsHere) return { data, total: before + rows.found };
  const [count] = await statement.count.run(executor, filters, scope);
  return { data, total: count?.total ?? 0 };
}

/** Reads the page after a position, and returns the position of its last row. It is undefined if there is no next page. */
export async function readPageAfter<Kind extends StatementKind, Input, Row>(
  statement: PageStatement<Kind, Input, Row>,
  { filters, sort, limit: most, after }: PageAfter,
  { executor, scope }: Target,
  encodeRow?: EncodeRow,
): Promise<{ data: PageRows<Row>; last: Position | undefined }> {
  const { list, unfiltered } = statement;
  const rows = new LimitedRows<Row>(most, encodeRow);
  const data =
    unfiltered && !isFiltered(filters) && isInListOrder(list, sort)
      ? await rows.read(unfiltered.rows, { limit: most + 1, before: undefined, after: after?.[0] as string | undefined }, executor, scope)
      : await rows.read(statement.rowsBy(sort), { ...filters, limit: most, after }, executor, scope);
  return { data, last: rows.found > most ? directionsOf(list, sort).map(({ name }) => (rows.last as Values)[name]) : undefined };
}

/** Reads the rows of a page, as objects or encoded, without the one that shows that there are more. */
class LimitedRows<Row> {
  readonly #most: number;
  readonly #encodeRow: EncodeRow | undefined;
  /** The number of rows, with those after the page. */
  found = 0;
  /** The last row of the page. */
  last: Row | undefined;

  constructor(most: number, encodeRow: EncodeRow | undefined) {
    this.#most = most;
    this.#encodeRow = encodeRow;
  }

  async read<Kind extends StatementKind, Input>(
    statement: Statement<Kind, Input, Row>,
    input: Input,
    executor: Executor,
    scope: OrganizationScope,
  ): Promise<PageRows<Row>> {
    const encodeRow = this.#most > maxRowsAtOnce ? this.#encodeRow : undefined;
    if (encodeRow) return statement.encoded(executor, input, scope, (row) => (this.#add(row as Row) ? encodeRow(row) : undefined));
    const rows = await statement.run(executor, input, scope);
    return rows.filter((row) => this.#add(row));
  }

  /** Whether the row belongs to the page. */
  #add(row: Row): boolean {
    this.found += 1;
    if (this.found > this.#most) return false;
    this.last = row;
    return true;
  }
}
