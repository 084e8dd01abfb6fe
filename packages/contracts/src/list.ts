import { z } from 'zod';
import { openEnum, ShortText, timeFilters } from './fields.ts';
import { type records, recordOf, type RecordType } from './records.ts';

/**
 * How a filter compares its value with a column. `contains` and `equalsText` ignore case and accents. `own`: the handler of the list applies the filter.
 */
type Comparison = 'equals' | 'contains' | 'equalsText' | 'atLeast' | 'atMost' | 'own';

/** A query parameter that selects records. */
interface Filter<Schema extends z.ZodType = z.ZodType> {
  readonly schema: Schema;
  readonly comparison: Comparison;
  /** The column, as a key of Kysely's schema. Undefined: it has the name of the filter. */
  readonly column?: string | undefined;
}

/** A list of records with pages: what the SQL, the tests and the documentation derive from its declaration. */
export interface List {
  readonly record: RecordType;
  /** The fields by which a request may sort the list, with their schemas. */
  readonly sortable: Readonly<Record<string, z.ZodType>>;
  /** The order of the list without `sort`, as in `sort`: a field, such as `-id`. */
  readonly order: string;
  /** The field that identifies a record. */
  readonly key: string;
  readonly filters: Readonly<Record<string, Filter>>;
}

const filter = <Schema extends z.ZodType>(comparison: Comparison, schema: Schema, description: string, column?: string) => ({
  schema: schema.optional().describe(description),
  comparison,
  column,
});

/** Selects records whose column has this value. */
export const equals = <Schema extends z.ZodType>(schema: Schema, description: string, column?: string) =>
  filter('equals', schema, description, column);

/** Selects records whose name contains a text. @param records their plural, such as `organizations` */
export const nameContains = (records: string) =>
  filter(
    'contains',
    ShortText,
    `Only ${records} whose name contains this text. Ignores case, accents, and the kind of apostrophes, dashes and blanks.`,
    'searchName',
  );

/** Selects records whose column contains a text. The column has no upper case and no accents. */
export const contains = (description: string) => filter('contains', ShortText, description);

/** Selects records whose column has this text, ignoring case and accents. */
export const equalsText = (description: string) => filter('equalsText', ShortText, description);

/** A filter that the handler of the list applies. */
export const own = <Schema extends z.ZodType>(schema: Schema, description: string) => filter('own', schema, description);

const created = timeFilters('records created');

/** Selects records by the time of creation. Both ends are included. */
export const createdBetween = {
  startDate: { schema: created.startDate, comparison: 'atLeast', column: 'createdAt' },
  endDate: { schema: created.endDate, comparison: 'atMost', column: 'createdAt' },
} as const;

/** Selects records by the time of their last change. */
export const updatedSince = {
  updatedSince: {
    schema: created.startDate.describe(
      'Only records changed at or after this date (2026-01-31) or date-time (2026-01-31T12:00:00Z). UTC without an offset.',
    ),
    comparison: 'atLeast',
    column: 'updatedAt',
  },
} as const;

/** A cursor has the values of the sort fields. */
const maxCursorLength = 12_000;

interface Declaration<Item extends z.ZodObject, Field extends string, Filters extends Readonly<Record<string, Filter>>> {
  /** Component name of a page in the OpenAPI document: the name of the item followed by `Page`. */
  page: string;
  sortable: readonly (Field & keyof z.output<Item>)[];
  /** Default: newest first. */
  order?: NoInfer<Field>;
  filters: Filters;
}

/** The schema of the field that identifies a record. */
type KeySchema<Type extends RecordType, Item extends z.ZodObject> = Item['shape'][(typeof records)[Type]['key'][0] & keyof Item['shape']];

/**
 * Declares a list of records with pages. The result is a part of the declaration of an endpoint.
 * @param item the schema of a record. It has the field that identifies a record.
 */
export function defineList<
  Type extends RecordType,
  Item extends z.ZodObject,
  const Field extends string,
  Filters extends Readonly<Record<string, Filter>> = Record<never, never>,
>(record: Type, item: Item, { page, sortable, order, filters }: Declaration<Item, Field, Filters>) {
  const [key = 'id'] = recordOf(record).key;
  const schemas = Object.fromEntries(Object.entries(filters).map(([name, { schema }]) => [name, schema]));
  const list: List = {
    record,
    sortable: Object.fromEntries(sortable.map((field) => [field, item.shape[field] as z.ZodType])),
    order: order ?? `-${key}`,
    key,
    filters,
  };
  return {
    query: {
      page: z.int32().min(1).optional().describe('Page number, from 1. Not together with `cursor`. Default: 1.'),
      limit: z.int32().min(1).max(100).default(20).describe('Records per page, from 1 to 100.'),
      cursor: z
        .string()
        .max(maxCursorLength)
        .optional()
        .describe(
          '`*` for the first page, then `nextCursor` of the previous page, with the same `sort` and filters. The response has `nextCursor` and no totals.',
        ),
      sort: z
        .array(sortField(sortable, page))
        .min(1)
        .max(sortable.length)
        .refine(hasNoFieldTwice, 'A field can be given once')
        .optional()
        .describe(
          'Fields by which the list is sorted, separated by commas. `-` before a field sorts it in descending order. Texts are in Portuguese alphabetical order, ignoring case first; null comes last.',
        )
        .meta({ example: [sortable.find((field) => field === 'name') ?? sortable[0]] }),
      ids: z
        .array(item.shape[key] as KeySchema<Type, Item>)
        .min(1)
        .max(100)
        .optional()
        .describe('Only the records with these ids, up to 100, separated by commas. Ids without a visible record are ignored.'),
      ...(schemas as { [Name in keyof Filters]: Filters[Name]['schema'] }),
    },
    output: pageOf(item, page),
    success: 200 as const,
    list,
  };
}

/**
 * A field, with or without `-`. A text in the OpenAPI document: generators make the same name of `name` and `-name`.
 * @param page the component name of a page of the list
 */
function sortField<Field extends string>(sortable: readonly Field[], page: string) {
  const values = sortable.flatMap((field) => [field, `-${field}`] as const);
  const description = 'A field of the records; with `-` before it, in descending order. Later versions may add fields.';
  const isKnown = (field: string) => (values as readonly string[]).includes(field);
  const schema = z
    .string()
    .max(64)
    .refine(isKnown, `Expected one of ${values.join(', ')}`);
  return openEnum(page.replace(/Page$/, 'Sort'), description, values, schema);
}

const hasNoFieldTwice = (sort: readonly string[]): boolean => new Set(sort.map((field) => field.replace(/^-/, ''))).size === sort.length;

/** The envelope of a list with pages. */
export function pageOf<Item extends z.ZodType>(item: Item, id: string) {
  const { id: itemId, example: itemExample } = item.meta() ?? {};
  const example = { data: [itemExample], total: 1, totalPages: 1, currentPage: 1 };
  const description = `One page of a list of ${itemId ?? 'item'} records: with the totals of the whole list, or with the cursor of the next page if the request has \`cursor\`.`;
  const ofPages = 'Absent if the request has `cursor`.';
  return z
    .object({
      data: z.array(item).describe('Records of this page, at most `limit`. Empty on a page past the end.'),
      total: z.int32().optional().describe(`Number of records on all pages that match the filters. ${ofPages}`),
      totalPages: z.int32().optional().describe(`\`total\` divided by \`limit\`, rounded up. 0 for an empty list. ${ofPages}`),
      currentPage: z.int32().optional().describe(`The \`page\` of the request, from 1. ${ofPages}`),
      nextCursor: z
        .string()
        .nullable()
        .optional()
        .describe('Value of `cursor` for the next page, null on the last one. Absent if the request has no `cursor`.'),
    })
    .meta({ id, description, example });
}

/** Whether a sortable field may be null. */
export const isNullable = (schema: z.ZodType): boolean => schema instanceof z.ZodNullable;

/** Whether a sortable field is a text. Ids and timestamps are not. */
export function isText(schema: z.ZodType): boolean {
  const inner = schema instanceof z.ZodNullable ? schema.unwrap() : schema;
  return inner instanceof z.ZodString || inner instanceof z.ZodEnum;
}
