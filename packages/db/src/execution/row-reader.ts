import { camelCased } from '../column-names.ts';
import { typeParsers } from '../column-types.ts';

/** A column of a result, as PostgreSQL describes it. */
export interface Field {
  readonly name: string;
  readonly dataTypeID: number;
}

/** Converts the values of a row from text. Returns an object with camelCase keys. */
export type RowReader = (values: readonly (string | null)[]) => Record<string, unknown>;

/** Creates the reader for a result with these columns. */
export function createRowReader(fields: readonly Field[]): RowReader {
  const names = fields.map(({ name }) => camelCased(name));
  const parsers = fields.map(({ dataTypeID }) => typeParsers.getTypeParser(dataTypeID, 'text') as (text: string) => unknown);
  // Copying an object with all keys is faster than adding one key after the other.
  const empty = Object.fromEntries(names.map((name) => [name, null]));
  return (values) => {
    if (values.length !== names.length) throw new Error(`The row has ${values.length} columns instead of ${names.length}`);
    const row: Record<string, unknown> = { ...empty };
    for (let index = 0; index < names.length; index += 1) {
      const value = values[index] as string | null;
      if (value !== null) row[names[index] as string] = parsers[index]?.(value);
    }
    return row;
  };
}
