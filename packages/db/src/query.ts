import { type Expression, type ExpressionBuilder, type SelectQueryBuilder, sql, type SqlBool, type StringReference } from 'kysely';

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
export async function pageOf<DB, TB extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
  { page, limit }: { page: number; limit: number },
  order: (query: SelectQueryBuilder<DB, TB, Row>) => SelectQueryBuilder<DB, TB, Row>,
): Promise<Page<Row>> {
  const offset = (page - 1) * limit;
  const data = (await order(query).limit(limit).offset(offset).execute()) as Row[];
  const endsHere = data.length < limit && (data.length > 0 || offset === 0);
  const total = endsHere ? offset + data.length : await countOf(query);
  return { data, total, totalPages: Math.ceil(total / limit), currentPage: page };
}

async function countOf<DB, TB extends keyof DB, Row>(query: SelectQueryBuilder<DB, TB, Row>): Promise<number> {
  const { total } = await query
    .clearSelect()
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .$castTo<{ total: number }>()
    .executeTakeFirstOrThrow();
  return total;
}

/**
 * That the column contains the text, whatever its case and accents; `%` and `_` are plain characters. The column is a stored `searchName`,
 * or one whose text search_text would leave as it is (an e-mail). The database normalises the text with the function that made the column,
 * since no second implementation would agree with it on every character.
 */
export function contains<DB, TB extends keyof DB>(
  column: StringReference<DB, TB>,
  text: string,
): (eb: ExpressionBuilder<DB, TB>) => Expression<SqlBool> {
  return (eb) => sql<SqlBool>`${eb.ref(column)} like search_pattern(${text})`;
}
