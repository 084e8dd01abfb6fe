import { type Expression, type RawBuilder, sql, type SqlBool } from 'kysely';
import type { DB } from '../schema.gen.ts';
import type { Placeholder } from './placeholders.ts';

/** The names of columns with normalized texts, which `contains` searches. */
type SearchedColumn = {
  [T in keyof DB]: `${T}.${keyof DB[T] & ('searchName' | 'searchDetails')}`;
}[keyof DB];

/**
 * Whether the column contains the text, ignoring case and accents. `%` and `_` are plain characters.
 * The database normalizes the text by the function that also computes the column: a second implementation would differ for some characters.
 * E-mail addresses are stored in lower case.
 */
export function contains(column: SearchedColumn | 'users.email', text: Expression<string>): Expression<SqlBool> {
  return comparisons.contains(sql.ref(column), text);
}

const comparisons = {
  equals: (column, value) => sql`${column} = ${value}`,
  contains: (column, value) => sql`search_contains(${column}, ${value})`,
  equalsText: (column, value) => sql`search_text(${column}) = search_text(${value})`,
  atLeast: (column, value) => sql`${column} >= ${value}`,
  atMost: (column, value) => sql`${column} <= ${value}`,
} satisfies Record<string, (column: RawBuilder<unknown>, value: Expression<unknown>) => Expression<SqlBool>>;

/** Compares a column with the value of a filter. @param column with its table */
export function compareColumn(comparison: keyof typeof comparisons, column: string, value: Placeholder<unknown>): Expression<SqlBool> {
  return comparisons[comparison](sql.ref(column), value);
}
