import { isNullable, isText, type List } from '@profile-service/contracts';
import { type Expression, type RawBuilder, sql, type SqlBool } from 'kysely';
import { Placeholder } from '../sql/placeholders.ts';

/** The values of the sort fields of a record, in their order. */
export type Position = readonly unknown[];

interface Direction {
  name: string;
  isDescending: boolean;
}

/** A field by which a list is sorted. */
export interface OrderedField extends Direction {
  isNullable: boolean;
  /** With the collation of texts. */
  column: RawBuilder<unknown>;
}

/**
 * Returns the fields that determine the order of a list: those of the request, and the key of the record.
 * @param sort as in the request; default: the order of the list
 */
export function directionsOf({ order, key }: Pick<List, 'order' | 'key'>, sort: readonly string[] | undefined): Direction[] {
  const fields = (sort ?? [order]).map((text) => ({ name: text.replace(/^-/, ''), isDescending: text.startsWith('-') }));
  if (!fields.some(({ name }) => name === key)) fields.push({ name: key, isDescending: fields.at(-1)?.isDescending ?? false });
  return fields;
}

/** Returns these fields with their columns. */
export const orderOf = (list: List, sort: readonly string[] | undefined, columnOf: (field: string) => string): OrderedField[] =>
  directionsOf(list, sort).map((field) => {
    const schema = list.sortable[field.name];
    if (!schema) throw new Error(`The list cannot be sorted by ${field.name}`);
    const column = sql.ref(columnOf(field.name));
    return { ...field, isNullable: isNullable(schema), column: isText(schema) ? sql`${column} collate "pt-BR-x-icu"` : column };
  });

/** Null is last in both directions. Without `nulls last`, an index serves both directions of a column that has no null. */
export const orderBy = ({ column, isDescending, isNullable: hasNulls }: OrderedField): RawBuilder<unknown> =>
  sql`${column} ${sql.raw(isDescending ? (hasNulls ? 'desc nulls last' : 'desc') : 'asc')}`;

/** Whether a row comes after the position in the input's field `after`. True if the input has none. */
export function isAfter(fields: readonly OrderedField[]): Expression<SqlBool> {
  return sql`(not ${parameter((after) => after !== undefined)} or ${comparison(fields)})`;
}

function comparison(fields: readonly OrderedField[]): RawBuilder<SqlBool> {
  const [first] = fields;
  const isOneDirection = fields.every(({ isDescending, isNullable: hasNulls }) => !hasNulls && isDescending === first?.isDescending);
  // PostgreSQL starts at the position in an index if it can compare rows, or the first column alone.
  if (isOneDirection && first) {
    const columns = sql.join(fields.map(({ column }) => column));
    return sql`(${columns}) ${operator(first)} (${sql.join(fields.map((_, index) => value(index)))})`;
  }
  const rest = lexicographic(fields, 0);
  return first && !first.isNullable ? sql`(${first.column} ${operator(first)}= ${value(0)} and ${rest})` : rest;
}

/** Compares by one field after the other: the next one decides about equal values. */
function lexicographic(fields: readonly OrderedField[], index: number): RawBuilder<SqlBool> {
  const field = fields[index];
  if (!field) return sql`false`;
  const { column, isNullable: hasNulls } = field;
  const isBeyond = sql`${column} ${operator(field)} ${value(index)}`;
  const hasValue = parameter((after) => after?.[index] !== null);
  const isLater = hasNulls ? sql`(${isBeyond} or (${hasValue} and ${column} is null))` : isBeyond;
  const isEqual = hasNulls ? sql`${column} is not distinct from ${value(index)}` : sql`${column} = ${value(index)}`;
  return sql`(${isLater} or (${isEqual} and ${lexicographic(fields, index + 1)}))`;
}

const operator = ({ isDescending }: OrderedField) => sql.raw(isDescending ? '<' : '>');

const parameter = (read: (after: Position | undefined) => unknown) =>
  new Placeholder((input) => read(input['after'] as Position | undefined));
const value = (index: number) => parameter((after) => after?.[index] ?? null);
