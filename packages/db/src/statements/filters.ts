import { type Expression, sql, type SqlBool } from 'kysely';
import type { DB } from '../schema.gen.ts';

type SearchName = { [T in keyof DB]: 'searchName' extends keyof DB[T] ? `${T}.searchName` : never }[keyof DB];

/**
 * Whether the column contains the text, ignoring case and accents; `%` and `_` are plain characters. The columns are the stored `searchName`s,
 * and the e-mail, which is stored in lower case. The database normalizes the text with the function that made the column:
 * a second implementation would differ for some characters.
 */
export function contains(column: SearchName | 'users.email', text: string): Expression<SqlBool> {
  return sql<SqlBool>`${sql.ref(column)} like search_pattern(${text})`;
}

/** Whether the column equals the text, ignoring case and accents. */
export function equalsText(column: 'states.uf' | 'states.region', text: string): Expression<SqlBool> {
  return sql<SqlBool>`search_text(${sql.ref(column)}) = search_text(${text})`;
}
