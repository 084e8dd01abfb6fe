import { type Expression, type ExpressionBuilder, type Kysely, type Selectable, sql, type SqlBool, type Updateable } from 'kysely';
import type { HandlerDatabase, HandlerTables } from './handler-database.ts';
import type { DB } from './schema.gen.ts';

export type Row<T extends keyof DB> = Selectable<DB[T]>;

/** Columns to change; a column that is undefined stays as it is. */
export type PatchValues<T extends keyof DB> = { [C in keyof Updateable<DB[T]>]?: Updateable<DB[T]>[C] | undefined };

type WithUpdatedAt = { [T in keyof DB]: 'updatedAt' extends keyof DB[T] ? T : never }[keyof DB];
const withUpdatedAt: Record<WithUpdatedAt, true> = {
  attachments: true,
  documentTypes: true,
  organizationContacts: true,
  organizations: true,
  users: true,
};

/** Kysely cannot infer columns of a table that is itself a type parameter: the types of `patch` stand for them. */
type AnyTables = Record<string, Record<string, unknown>>;

/**
 * A partial update (specification part 4: every PUT): changes the given columns of the row with these values and returns the whole row as it is then,
 * undefined when there is none. No change at all is no update: the row is just read, and its updatedAt stays.
 *
 * `key` compares columns with values, null included: `patch(db, 'users', { id, deletedAt: null }, changes)`.
 */
export async function patch<T extends keyof HandlerTables>(
  db: HandlerDatabase | Kysely<DB>,
  table: T,
  key: Partial<Row<T>>,
  changes: PatchValues<T>,
): Promise<Row<T> | undefined> {
  return await patchWhere(db as unknown as Kysely<DB>, table, (eb) => eb.and(key as Record<string, unknown>), changes);
}

/** As `patch`, for the row that the predicate names. */
export async function patchWhere<T extends keyof DB>(
  db: Kysely<DB>,
  table: T,
  predicate: (eb: ExpressionBuilder<AnyTables, string>) => Expression<SqlBool>,
  changes: PatchValues<T>,
): Promise<Row<T> | undefined> {
  const tables = db as unknown as Kysely<AnyTables>;
  const name: string = table;
  const isEmpty = Object.values(changes).every((value) => value === undefined);
  const stamp = table in withUpdatedAt ? { updatedAt: sql`now()` } : {};
  const row = isEmpty
    ? await tables.selectFrom(name).selectAll().where(predicate).executeTakeFirst()
    : await tables
        .updateTable(name)
        .set({ ...changes, ...stamp })
        .where(predicate)
        .returningAll()
        .executeTakeFirst();
  return row as Row<T> | undefined;
}
