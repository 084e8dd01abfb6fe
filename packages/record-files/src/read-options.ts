import type { z } from 'zod';
import type { CheckJson } from './cells.ts';

export interface ReadOptions {
  format: 'csv' | 'ndjson';
  /** Between the cells of CSV. Undefined: the comma, semicolon or tab, whichever occurs most often in the header outside of quotes. */
  delimiter?: string | undefined;
  /** The schema of a record in a request, such as the body of the POST. */
  body: z.ZodObject;
  /**
   * Columns of CSV with codes that people write with punctuation, such as `federalTaxId` and `address.zipCode`. Everything but letters and digits is removed
   * from their cells. The names of columns of an array have no index, such as `contacts.value`.
   */
  codes?: readonly string[];
  /** Columns, or keys of an NDJSON record, that an export has and a request does not, such as `id`. They are accepted and ignored. */
  ignored?: readonly string[];
  /** Says why the text of an NDJSON record, or of a CSV cell with JSON, is rejected. The parser does not see all of it, such as a key that is given twice. */
  checkJson?: CheckJson;
  /** Maximum size of a row with its line end, and of the header. Default: 1 MiB. */
  maxRowBytes?: number;
}
