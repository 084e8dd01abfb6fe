import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';

const schema = `
  create table if not exists bucket (name text primary key);
  create table if not exists object (
    bucket text, key text, blob text, size integer, etag text, modifiedAt integer, headers text, primary key (bucket, key)) without rowid;
  create table if not exists upload (id text primary key, bucket text, key text, startedAt integer, headers text);
  create table if not exists part (
    upload text references upload on delete cascade, number integer, blob text, size integer, etag text, modifiedAt integer,
    primary key (upload, number)) without rowid;`;

export interface ObjectRow {
  bucket: string;
  key: string;
  blob: string;
  size: number;
  /** Without quotes. */
  etag: string;
  /** Milliseconds since 1970. */
  modifiedAt: number;
  /** JSON of the headers that are given back with the object. */
  headers: string;
}

export interface UploadRow {
  id: string;
  bucket: string;
  key: string;
  startedAt: number;
  headers: string;
}

export interface PartRow {
  upload: string;
  number: number;
  blob: string;
  size: number;
  etag: string;
  modifiedAt: number;
}

/** A statement as a tagged template: what stands in `${}` is bound, never pasted. */
type Sql = (text: TemplateStringsArray, ...values: SQLInputValue[]) => Statement;

/** The type argument is the row that the text selects. */
interface Statement {
  get<Row>(): Row | undefined;
  all<Row>(): Row[];
  /** @returns the number of rows that were changed */
  run(): number;
}

/** What is stored and where: an object exists from the commit of its row on, so never by half. */
export interface Catalog {
  sql: Sql;
  /** Runs `work`, which must not wait for anything, as one transaction. */
  atomically<T>(work: () => T): T;
  close(): void;
}

/** Opens the catalog in `folder`, making it when absent. Throws when another process has it open. */
export function openCatalog(folder: string): Catalog {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const database = new DatabaseSync(join(folder, 'catalog.sqlite'));
  try {
    database.exec('pragma locking_mode = exclusive; pragma journal_mode = wal; pragma synchronous = normal; pragma foreign_keys = on;');
    database.exec(schema);
  } catch (error) {
    database.close();
    throw new Error(`The storage in ${folder} cannot be opened: does another process use it?`, { cause: error });
  }
  const atomically = <T>(work: () => T): T => {
    database.exec('begin immediate');
    try {
      const result = work();
      database.exec('commit');
      return result;
    } catch (error) {
      database.exec('rollback');
      throw error;
    }
  };
  // Not createTagStore(): its statements outlive close(), and the lock with them.
  const sql: Sql = (text, ...values) => {
    const statement = database.prepare(text.join('?'));
    return {
      get: <Row>() => statement.get(...values) as Row | undefined,
      all: <Row>() => statement.all(...values) as Row[],
      run: () => Number(statement.run(...values).changes),
    };
  };
  return { sql, atomically, close: () => database.close() };
}
