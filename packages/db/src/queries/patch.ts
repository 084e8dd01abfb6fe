import { type Expression, expressionBuilder, type Kysely, sql, type SqlBool, type Updateable } from 'kysely';
import type { UnscopedTables, Row } from '../scope/unscoped-tables.ts';
import type { DB } from '../schema.gen.ts';
import { inScope, type ScopeParameters, type ScopedTable } from '../scope/scope.ts';
import { queries } from '../sql/compile.ts';
import { isGiven, type Values } from '../sql/placeholders.ts';
import { Statement, type StatementKind } from './statement.ts';

/** The key of a row, and the columns to change. Absent columns are not changed. */
export type PatchInput<T extends keyof DB, Key extends string, Column extends string> = {
  readonly [K in Key & keyof Row<T>]: Row<T>[K];
} & { readonly [C in Column & keyof Updateable<DB[T]>]?: Updateable<DB[T]>[C] | undefined };

/** The two statements of a partial update. `read` runs if the input has no column to change. */
export interface PatchStatement<Kind extends StatementKind, T extends keyof DB, Key extends string, Column extends string> {
  columns: readonly Column[];
  read: Statement<Kind, PatchInput<T, Key, Column>, Row<T>>;
  update: Statement<Kind, PatchInput<T, Key, Column>, Row<T>>;
}

/** Declares a partial update of an unscoped table: `patchStatement('apps', 'id', ['name'])`. */
export function patchStatement<
  T extends keyof UnscopedTables,
  Key extends keyof Row<T> & string,
  Column extends keyof Updateable<DB[T]> & string,
>(table: T, key: Key, columns: readonly Column[]): PatchStatement<'unscoped', T, Key, Column> {
  return statementsOf(table, key, columns, () => []);
}

/** Declares a partial update of a row in the caller's scope. */
export function scopedPatchStatement<T extends ScopedTable, Column extends keyof Updateable<DB[T]> & string>(
  table: T,
  columns: readonly Column[],
): PatchStatement<'scoped', T, 'id', Column> {
  return statementsOf(table, 'id', columns, (scope) => [inScope(table, scope)]);
}

/** Kysely cannot infer the columns if the table is a type parameter. The functions above check the types instead. */
type AnyTables = Record<string, Record<string, unknown>>;

function statementsOf<Kind extends StatementKind, T extends keyof DB, Key extends string, Column extends string>(
  table: T,
  key: Key,
  columns: readonly Column[],
  predicates: (scope: ScopeParameters) => Expression<SqlBool>[],
): PatchStatement<Kind, T, Key, Column> {
  const tables = queries as unknown as Kysely<AnyTables>;
  const eb = expressionBuilder<AnyTables, string>();
  const theRow = (p: Values, scope: ScopeParameters) => eb.and([eb(key as string, '=', p[key]), ...predicates(scope)]);
  return {
    columns,
    read: new Statement((p: Values, scope) =>
      tables
        .selectFrom(table as string)
        .selectAll()
        .where(theRow(p, scope)),
    ),
    update: new Statement((p: Values, scope) =>
      tables
        .updateTable(table as string)
        .set(Object.fromEntries(columns.map((column) => [column, valueOrColumn(`${table}.${column}`, p[column])])))
        .where(theRow(p, scope))
        .returningAll(),
    ),
  };
}

/** Sets a column to itself if its field is absent, so that one text serves every combination of fields. */
const valueOrColumn = (column: string, value: unknown) => sql`case when ${isGiven(value)} then ${value} else ${sql.ref(column)} end`;
