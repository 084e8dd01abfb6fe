import { DatabaseSync, type SQLInputValue } from 'node:sqlite';

/** `data` is the record as JSON. */
const schema = `
  pragma journal_mode = wal;
  create table if not exists organizations (id text primary key, data text not null);
  create table if not exists addresses (id text primary key, organization_id text not null, data text not null);
  create table if not exists contacts (id text primary key, organization_id text not null, data text not null);
  create table if not exists links (organization_id text, tenant_id text, primary key (organization_id, tenant_id));
  create table if not exists users (id text primary key, data text not null);
  create table if not exists members (user_id text, tenant_id text, persona text, primary key (user_id, tenant_id));
  create table if not exists feed (id integer primary key check (id = 1), cursor text not null);
`;
const tables = ['organizations', 'addresses', 'contacts', 'links', 'users', 'members'] as const;
type Row = Record<string, SQLInputValue>;

export type Table = (typeof tables)[number];
export type Store = ReturnType<typeof openStore>;

/** Opens the copy. It is complete once it has a cursor. */
export function openStore(file: string) {
  const database = new DatabaseSync(file);
  database.exec(schema);
  return {
    /** The cursor of the last page of events that was applied. */
    cursor: () => database.prepare('select cursor from feed').get()?.['cursor'] as string | undefined,
    forgetCursor: () => database.exec('delete from feed'),
    close: () => database.close(),

    /** Commits the changes with the cursor after them: all or nothing, even if the process is killed. */
    async commit(cursor: string, change: () => void | Promise<void>): Promise<void> {
      database.exec('begin immediate');
      try {
        await change();
        database.prepare('insert or replace into feed (id, cursor) values (1, ?)').run(cursor);
        database.exec('commit');
      } catch (error) {
        database.exec('rollback');
        throw error;
      }
    },

    /** Inserts the row, or replaces the one with its key. */
    put(table: Table, row: Row): void {
      const columns = Object.keys(row);
      const values = columns.map((column) => `:${column}`);
      database.prepare(`insert or replace into ${table} (${columns.join(', ')}) values (${values.join(', ')})`).run(row);
    },

    /** Deletes the rows with these values. There may be none. */
    remove(table: Table, row: Row): void {
      const conditions = Object.keys(row).map((column) => `${column} = :${column}`);
      database.prepare(`delete from ${table} where ${conditions.join(' and ')}`).run(row);
    },

    clear(): void {
      for (const table of tables) database.exec(`delete from ${table}`);
    },
  };
}
