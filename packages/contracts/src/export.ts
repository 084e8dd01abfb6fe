import { z } from 'zod';

/** The content types of an export by its format. */
export const exportTypes = { ndjson: 'application/x-ndjson', csv: 'text/csv' } as const;

export const ExportFormat = z.enum(['ndjson', 'csv']).meta({
  id: 'RecordFileFormat',
  description:
    '`ndjson`: one JSON object per line. `csv`: RFC 4180 in UTF-8, with a header row; the fields of nested objects have dots in their names.',
});

/** What separates the cells of a CSV file. No enum: generated clients would have no names for the values. */
export const Delimiter = z.string().regex(/^[,;\t]$/, 'Expected a comma, a semicolon or a tab');

/** The parameters of a list that select a page. */
type PageParameter = 'page' | 'limit' | 'cursor';

/**
 * Declares the export of a list: all records that the list shows with the same filters and sort, as one file. The result is a part of the declaration of an
 * endpoint. @param record the schema of a record in the file
 */
export function exportOf<Query extends Readonly<Record<string, z.ZodType>>, Item extends z.ZodObject>(
  { query }: { readonly query: Query },
  record: Item,
) {
  const { page: _page, limit: _limit, cursor: _cursor, ...others } = query as Readonly<Record<string, z.ZodType>>;
  return {
    query: {
      format: ExportFormat.default('ndjson').describe('Format of the file.'),
      delimiter: Delimiter.default(',').describe('What separates the cells of a CSV file: a comma, a semicolon or a tab.'),
      bom: z.boolean().default(false).describe('Whether a CSV file begins with a byte order mark, by which spreadsheets recognize UTF-8.'),
      ...(others as Omit<Query, PageParameter>),
    },
    output: record,
    media: 'export' as const,
    fileTypes: Object.values(exportTypes),
    success: 200 as const,
    responseHeaders: { 200: ['Content-Disposition'] as const },
  };
}

/** What the descriptions of all exports say. */
export const exportDescription =
  'Returns everything that the list with the same filters and sort shows, as one file. It shows one moment, and the connection breaks if it cannot be completed. Adds an audit entry with the filters and the number of records. A CSV cell that a spreadsheet could run as a formula begins with an apostrophe.';
