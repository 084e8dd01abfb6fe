import pg from 'pg';
import { camelCased } from '../queries/column-names.ts';
import { typeParsers } from '../queries/column-types.ts';

/** A column of a result, as PostgreSQL describes it. */
export interface Field {
  readonly name: string;
  readonly dataTypeID: number;
}

/** Converts the values of a row from text. Returns an object with camelCase keys. */
export type RowReader = (values: readonly (string | null)[]) => Record<string, unknown>;

type Parse = (text: string) => unknown;
const parserOf = (type: number) => {
  const parse = typeParsers.getTypeParser(type, 'text') as Parse;
  return parse === keepText ? undefined : parse;
};
/** pg's parser for types that it keeps as text. */
const keepText = typeParsers.getTypeParser(pg.types.builtins.TEXT, 'text') as Parse;

/** Creates the reader for a result with these columns. */
export function createRowReader(fields: readonly Field[]): RowReader {
  const names = fields.map(({ name }) => camelCased(name));
  const parsers = fields.map(({ dataTypeID }) => parserOf(dataTypeID));
  // Copying an object with all keys is faster than adding one key after the other.
  const empty = Object.fromEntries(names.map((name) => [name, null]));
  return (values) => {
    if (values.length !== names.length) throw new Error(`The row has ${values.length} columns instead of ${names.length}`);
    const row: Record<string, unknown> = { ...empty };
    for (let index = 0; index < names.length; index += 1) {
      const value = values[index] as string | null;
      if (value === null) continue;
      const parse = parsers[index];
      row[names[index] as string] = parse ? parse(value) : value;
    }
    return row;
  };
}
