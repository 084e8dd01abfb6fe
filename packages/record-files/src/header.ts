import { CsvError, parse } from 'csv-parse/sync';
import type { z } from 'zod';
import { type Column, columnsOf, findColumn, missingColumns } from './columns.ts';
import { brokenQuote, headerTooLong, InvalidFileError } from './invalid-file.ts';
import type { LineIndex, LineStart } from './lines.ts';

/** The header of a CSV file. */
export interface Header {
  /** The names of the columns, in the order of the file. */
  readonly names: readonly string[];
  /** The fields of the columns. Undefined: the column is ignored. */
  readonly columns: readonly (Column | undefined)[];
  readonly delimiter: string;
  /** Offset of the first byte after the header. */
  readonly end: number;
}

export interface HeaderOptions {
  delimiter?: string | undefined;
  body: z.ZodObject;
  ignored?: readonly string[];
  maxRowBytes?: number;
}

export const defaultMaxRowBytes = 1024 * 1024;

/**
 * Reads the header and checks its columns.
 * @param bytes the file from its beginning, without the byte order mark
 * @param complete whether the bytes are the whole file
 * @returns undefined if the header does not end in these bytes
 * @throws InvalidFileError
 */
export function readHeader(bytes: Buffer, lines: LineIndex, options: HeaderOptions, complete: boolean): Header | undefined {
  const start = lines.firstFrom(0);
  if (!start && complete) throw new InvalidFileError('The file is empty: it has no header');
  const end = start ? endOfRow(bytes, start.offset, complete) : undefined;
  const length = (end ?? bytes.length) - (start?.offset ?? 0);
  if (length > (options.maxRowBytes ?? defaultMaxRowBytes)) throw headerTooLong(start?.line);
  if (!start || end === undefined) return undefined;
  const text = bytes.toString('utf8', start.offset, end);
  const delimiter = options.delimiter ?? findDelimiter(text);
  const names = readNames(text, delimiter, start);
  return { names, columns: findColumns(names, options, start), delimiter, end };
}

const [quote, lf, cr] = [34, 10, 13];

/** The position after the LF or CR of the row. Undefined if the row does not end. */
function endOfRow(bytes: Buffer, start: number, complete: boolean): number | undefined {
  let quoted = false;
  for (let at = start; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === quote) quoted = !quoted;
    // After a CR, the LF of CRLF counts as an empty line, which is skipped.
    if (!quoted && (byte === lf || byte === cr)) return at + 1;
  }
  return complete ? bytes.length : undefined;
}

/** The delimiter that occurs most often outside of quotes. A comma if there is none. */
function findDelimiter(header: string): string {
  const unquoted = header.replaceAll(/"[^"]*"/g, '');
  const counts = [',', ';', '\t'].map((delimiter) => ({ delimiter, count: unquoted.split(delimiter).length }));
  return counts.reduce((most, next) => (next.count > most.count ? next : most)).delimiter;
}

function readNames(text: string, delimiter: string, { line }: LineStart): string[] {
  try {
    const [names = []] = parse(text, { delimiter, record_delimiter: ['\r\n', '\n', '\r'] });
    return names.map((name) => name.trim());
  } catch (error) {
    if (error instanceof CsvError) throw brokenQuote(line);
    throw error;
  }
}

function findColumns(names: readonly string[], { body, ignored = [] }: HeaderOptions, { line }: LineStart): (Column | undefined)[] {
  const columns = names.map((name) => findColumn(body, name.split('.')));
  const known = columns.flatMap((column) => (column ? [column.name] : []));
  const unknown = names.filter((name, index) => name !== '' && !columns[index] && !ignored.includes(name));
  const problems = [
    names.includes('') && `Column ${names.indexOf('') + 1} has no name.`,
    listed('Unknown columns', unknown, (name) => suggestion(body, name)),
    unknown.length > 0 && existing(body),
    listed('Missing columns', missingColumns(body, known)),
    listed('Columns that occur more than once', [...duplicatesIn(names)]),
  ].filter((problem) => problem !== false);
  if (problems.length > 0) throw new InvalidFileError(problems.join(' '), line);
  return columns;
}

function duplicatesIn(names: readonly string[]): Set<string> {
  const seen = new Set<string>();
  return new Set(names.filter((name) => name !== '' && seen.size === seen.add(name).size));
}

const maxListed = 10;
const maxNameLength = 80;

/** The first 10 names, shortened to 80 characters. False if there are none. */
function listed(what: string, names: readonly string[], note: (name: string) => string = () => ''): string | false {
  if (names.length === 0) return false;
  const first = names.slice(0, maxListed).map((name) => shorten(name) + note(name));
  return `${what}: ${first.join(', ')}${names.length > maxListed ? ` and ${names.length - maxListed} more` : ''}.`;
}

const shorten = (name: string): string => (name.length > maxNameLength ? `${name.slice(0, maxNameLength)}…` : name);

function suggestion(body: z.ZodObject, name: string): string {
  const similar = findColumn(body, name.split('.'), true);
  return similar ? ` (use ${similar.name})` : '';
}

const maxExistingLength = 600;

function existing(body: z.ZodObject): string | false {
  const names = columnsOf(body, [], () => 1)
    .map(({ name }) => name)
    .join(', ');
  return names.length <= maxExistingLength && `The columns are ${names}.`;
}
