import { type Expression, sql, type SqlBool } from 'kysely';
import type { DB } from '../schema.gen.ts';

type SearchName = { [T in keyof DB]: 'searchName' extends keyof DB[T] ? `${T}.searchName` : never }[keyof DB];

/**
 * Whether the column contains the text, ignoring case and accents. `%` and `_` are plain characters.
 * The database normalizes the text by the function that also computes `searchName`: a second implementation would differ for some characters.
 * E-mail addresses are stored in lower case.
 */
export function contains(column: SearchName | 'users.email', text: Expression<string>): Expression<SqlBool> {
  return sql<SqlBool>`search_contains(${sql.ref(column)}, ${text})`;
}

/** Whether the column equals the text, ignoring case and accents. */
export function equalsText(column: 'states.uf' | 'states.region', text: Expression<string>): Expression<SqlBool> {
  return sql<SqlBool>`search_text(${sql.ref(column)}) = search_text(${text})`;
}
