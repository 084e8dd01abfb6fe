import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** A table whose rows the API shows as records of a type. It has a column `version`. */
export interface CapturedTable {
  table: string;
  type: string;
  /** The column with the id of the record; default `id`. */
  key?: string;
  /** The columns that a GET does not show, besides those of all tables. */
  hidden?: string[];
}

/** Columns that no GET shows. */
export const hiddenOfAll = ['version', 'search_name'];

/** Describes a table for its triggers: members of a JSON object, which each captured change repeats. */
export const describe = (type: string, [key, key2]: [string, string?], hidden: string[]) =>
  sql.lit(`"type":"${type}","key":"${key}",${key2 ? `"key2":"${key2}",` : ''}"hidden":"{${hidden.join()}}"`);

/** Creates the triggers that raise the versions of the rows and capture their changes. They know no columns but the hidden ones: a new column needs nothing. */
export async function captureTable(
  db: Parameters<Migration['up']>[0],
  { table, type, key = 'id', hidden = [] }: CapturedTable,
): Promise<void> {
  const all = [...hiddenOfAll, ...hidden];
  // A deletion that only sets deleted_at raises the version too.
  const withoutVersion = [...all.filter((column) => column !== 'deleted_at'), 'updated_at'];
  const column = sql`attrelid = ${table}::regclass and attname = 'updated_at'`;
  const { rows } = await sql`select from pg_attribute where ${column}`.execute(db);
  await sql`
      create trigger raise_version before update on ${sql.table(table)}
        for each row execute function raise_version(${sql.lit(`{${withoutVersion.join()}}`)}, ${sql.lit(rows.length > 0 ? 'updated_at' : '')});
      create trigger capture_insert_delete after insert or delete on ${sql.table(table)}
        for each row execute function capture_change(${describe(type, [key], all)});
      create trigger capture_update after update on ${sql.table(table)}
        for each row when (old.version <> new.version) execute function capture_change(${describe(type, [key], all)});
    `.execute(db);
}
