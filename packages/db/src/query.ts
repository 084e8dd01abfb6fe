import { type Expression, type SelectQueryBuilder, sql, type SqlBool } from 'kysely';
import type { DB } from './schema.gen.ts';

/** The pagination envelope of specification part 2. */
export interface Page<Row> {
  data: Row[];
  total: number;
  totalPages: number;
  currentPage: number;
}

/**
 * One page of the query's rows with the totals of all of them. `page` counts from 1; `order` must be total, so that pages neither repeat nor skip.
 * A page past the end is empty, with the true totals. One statement where the page itself tells the total, else two, one after the other:
 * side by side they would take two connections from the pool, and a transaction has but one.
 */
export async function pageOf<Tables, Table extends keyof Tables, Row>(
  query: SelectQueryBuilder<Tables, Table, Row>,
  { page, limit }: { page: number; limit: number },
  order: (query: SelectQueryBuilder<Tables, Table, Row>) => SelectQueryBuilder<Tables, Table, Row>,
): Promise<Page<Row>> {
  const offset = (page - 1) * limit;
  const data = (await order(query).limit(limit).offset(offset).execute()) as Row[];
  const endsHere = data.length < limit && (data.length > 0 || offset === 0);
  const total = endsHere ? offset + data.length : await countOf(query);
  return { data, total, totalPages: Math.ceil(total / limit), currentPage: page };
}

async function countOf<Tables, Table extends keyof Tables, Row>(query: SelectQueryBuilder<Tables, Table, Row>): Promise<number> {
  const { total } = await query
    .clearSelect()
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .$castTo<{ total: number }>()
    .executeTakeFirstOrThrow();
  return total;
}

type SearchName = { [T in keyof DB]: 'searchName' extends keyof DB[T] ? `${T}.searchName` : never }[keyof DB];

/**
 * That the column contains the text, whatever its case and accents; `%` and `_` are plain characters. The columns are the stored `searchName`s,
 * and the e-mail, which is in lower case as it is. The database normalises the text with the function that made the column:
 * no second implementation would agree with it on every character.
 */
export function contains(column: SearchName | 'users.email', text: string): Expression<SqlBool> {
  return sql<SqlBool>`${sql.ref(column)} like search_pattern(${text})`;
}

/** That the column holds the text, whatever its case and accents. */
export function equalsText(column: 'states.uf' | 'states.region', text: string): Expression<SqlBool> {
  return sql<SqlBool>`search_text(${sql.ref(column)}) = search_text(${text})`;
}
