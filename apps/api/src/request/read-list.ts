import type { List } from '@profile-service/contracts';
import {
  directionsOf,
  type EncodedRows,
  type EncodeRow,
  type PageStatement,
  type Position,
  type StatementKind,
  type StatementRunner,
} from '@profile-service/db';
import { z } from 'zod';
import { isStorable } from './input.ts';
import { isPostgresTime, type ListCursor, listCursor } from './list-cursor.ts';
import { validationFailed } from './validation-failed.ts';

/** The part of a list's input that is no filter. */
interface Paging {
  page?: number | undefined;
  limit: number;
  cursor?: string | undefined;
  sort?: readonly string[] | undefined;
}

type Data<Row> = { data: Row[] | EncodedRows<Row> };

/** A page with the totals of the list, or with the cursor of the next page. */
type Page<Row> = Data<Row> & ({ total: number; totalPages: number; currentPage: number } | { nextCursor: string | null });

/** Stands for the first page (LISTS-10). */
const firstPage = '*';

/**
 * Reads a page of a list, by its number or by a cursor. Throws VALIDATION_FAILED for both, and for a cursor that is invalid or belongs to another sort or filter.
 * @param encodeRow for rows that may be large, such as those with metadata
 */
export async function readList<Kind extends StatementKind, Input extends Paging, Row>(
  db: Pick<StatementRunner<Kind>, 'page' | 'pageAfter'>,
  statement: PageStatement<Kind, Input, Row>,
  { page, limit, cursor, sort, ...filters }: Input,
  encodeRow?: EncodeRow,
): Promise<Page<Row>> {
  if (cursor === undefined) {
    const currentPage = page ?? 1;
    const { data, total } = await db.page(statement, { filters, sort, limit, page: currentPage }, encodeRow);
    return { data, total, totalPages: Math.ceil(total / limit), currentPage };
  }
  if (page !== undefined) throw validationFailed('cursor', 'Not together with `page`');
  const { list } = statement;
  const order = sort ?? [list.order];
  const cursors = cursorsOf(list, sort);
  const after = cursor === firstPage ? undefined : cursors.decode(cursor, { ...filters, sort: order }).after;
  const { data, last } = await db.pageAfter(statement, { filters, sort, limit, after }, encodeRow);
  return { data, nextCursor: last ? cursors.encode({ after: last }, { ...filters, sort: order }) : null };
}

const cursorsOf = (list: List, sort: readonly string[] | undefined): ListCursor<{ after: Position }> => {
  const values = directionsOf(list, sort).map(({ name }) => (list.sortable[name] as z.ZodType).refine(isComparable));
  return listCursor(z.object({ after: z.tuple(values as [z.ZodType, ...z.ZodType[]]) }));
};

/** Also false for a text that looks like a time that PostgreSQL does not have. */
const isComparable = (value: unknown): boolean => isStorable(value) && (typeof value !== 'string' || isPostgresTime(value));
