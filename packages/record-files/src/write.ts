import { stringify } from 'csv-stringify/sync';
import type { z } from 'zod';
import { type Column, columnsOf } from './columns.ts';
import { escapeFormula } from './formulas.ts';

export interface WriteOptions {
  format: 'ndjson' | 'csv';
  /** Between the cells of CSV. */
  delimiter: string;
  /** Whether CSV begins with a byte order mark. */
  bom: boolean;
}

/** Writes records as the text of a file. */
export interface RecordWriter {
  /** What comes before the first record. */
  readonly head: string;
  /** Returns the lines of the next records, which have the fields of the schema. */
  lines(records: readonly unknown[]): string;
}

/** Creates the writer of records with this schema. NDJSON has one JSON object per line; CSV follows RFC 4180. */
export const recordWriter = (schema: z.ZodObject, options: WriteOptions): RecordWriter => writerOf(columnsOf(schema), options);

/**
 * Returns a file with an example record, as a template of a file to import. In CSV, each element of an array of objects has columns of its own, such as
 * `contacts.0.type`. An array that the example does not have gets the columns of one element.
 * @param body the schema of a record in a request
 */
export function templateOf(body: z.ZodObject, example: Record<string, unknown>, options: WriteOptions): string {
  const elements = (path: readonly string[]) => {
    const array = valueAt(example, path);
    return Array.isArray(array) && array.length > 0 ? array.length : 1;
  };
  const { head, lines } = writerOf(columnsOf(body, [], elements), options);
  return head + lines([example]);
}

function writerOf(columns: readonly Column[], options: WriteOptions): RecordWriter {
  const { delimiter, bom } = options;
  if (options.format === 'ndjson') return { head: '', lines: (records) => records.map((record) => `${JSON.stringify(record)}\n`).join('') };
  const write = (rows: string[][]) => csvLines(rows, delimiter);
  return {
    head: (bom ? '\uFEFF' : '') + write([columns.map(({ name }) => name)]),
    lines: (records) => write(records.map((record) => cellsOf(record, columns))),
  };
}

/** Writes rows of cells as lines of CSV (RFC 4180). By default, a record delimiter would turn off the quotes around cells with a lone LF or CR. */
export const csvLines = (rows: readonly (readonly string[])[], delimiter = ','): string =>
  stringify(rows as string[][], { delimiter, record_delimiter: 'windows', quote_record_delimiter: true });

/** The cells of a record in a CSV file. */
export const cellsOf = (record: unknown, columns: readonly Column[]): string[] => columns.map(({ path }) => cellOf(valueAt(record, path)));

/** The value at a path. Null if an object on the way is null. */
function valueAt(record: unknown, path: readonly string[]): unknown {
  let value = record;
  for (const name of path) value = (value as Record<string, unknown> | null | undefined)?.[name];
  return value ?? null;
}

/** The text of a value. Null and an empty text are both an empty cell; arrays and objects are JSON. */
function cellOf(value: unknown): string {
  if (value === null) return '';
  return escapeFormula(typeof value === 'object' ? JSON.stringify(value) : String(value as string | number | boolean));
}
