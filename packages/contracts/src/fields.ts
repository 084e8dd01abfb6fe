import { z } from 'zod';

/** A UUID of any version, converted to lower case. */
export const Uuid = z.guid().toLowerCase();

/** Not only white space, and without characters that change the direction of text. Takes linear time. */
const namePattern = /^\s*[^\s\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069][^\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]*$/;
/** Neither white space, nor a control character, nor one of zero width. U+2800 is a blank of Braille. */
const visible = /[^\s\p{Cc}\p{Cf}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u;
const nameRule = 'A name needs a visible character, and has no characters that change the direction of text';

/** A required name (D-167). 255 characters of any alphabet fit into a unique index. */
export const Name = z
  .string()
  .min(1, { abort: true })
  .max(255, { abort: true })
  .regex(namePattern, { error: nameRule, abort: true })
  .refine((name) => visible.test(name), nameRule);

/** A name that can be empty, such as a trade name. */
export const Alias = z
  .string()
  .max(255, { abort: true })
  .regex(new RegExp(`^$|${namePattern.source}`), { error: nameRule, abort: true })
  .refine((name) => name === '' || visible.test(name), nameRule);

/*
 * Every text of a request has a maximum length, which limits the size of a list of 100 records. The schemas of responses have no
 * maximum: a database may contain longer values from before a limit was introduced, and the service still returns them.
 */

/** A text of up to 255 characters, such as a label or a job title. */
export const ShortText = z.string().max(255);

/** A URL, a path or a telephone number: up to 2,048 characters. */
export const UrlText = z.string().max(2048);

/** A description of up to 5,000 characters. */
export const LongText = z.string().max(5000);

/** Stricter than zod's pattern after the @: a label has at most 63 characters and neither begins nor ends with a hyphen. */
const emailPattern =
  /^(?:[A-Za-z0-9_'+-]+\.)*[A-Za-z0-9_'+-]*[A-Za-z0-9_+-]@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]{2,63}$/;

/**
 * An e-mail address, trimmed and converted to lower case. RFC 5321 and the identity provider allow 64 characters before the @. The pattern comes before the
 * conversion, which makes a `k` of the Kelvin sign.
 */
export const Email = z
  .string()
  .trim()
  .max(254)
  .check(z.email({ pattern: emailPattern }))
  .refine((address) => address.indexOf('@') <= 64, 'The part before the @ must have at most 64 characters')
  .toLowerCase();

/** Tax id of an organization or a customer, converted to upper case: a CNPJ may contain letters. The check digits are not verified. */
export const FederalTaxId = z
  .string()
  .regex(/^[0-9A-Za-z]{11,14}$/, 'A tax id must have 11 to 14 letters and digits, without punctuation')
  .toUpperCase();

/** Brazilian personal tax id (CPF): 11 digits, of which the last two are check digits. */
export const Cpf = z
  .string()
  .regex(/^\d{11}$/, { error: 'A CPF must have 11 digits', abort: true })
  .refine(isCpf, 'The check digits of the CPF are wrong');

function isCpf(cpf: string): boolean {
  if (/^(\d)\1*$/.test(cpf)) return false;
  return checkDigit(cpf.slice(0, 9)) === cpf[9] && checkDigit(cpf.slice(0, 10)) === cpf[10];
}

function checkDigit(digits: string): string {
  const sum = [...digits].reduce((total, digit, index) => total + Number(digit) * (digits.length + 1 - index), 0);
  return String(((sum * 10) % 11) % 10);
}

/** A JSON object with keys and values of the client's choice. */
export const JsonObject = z.record(z.string(), z.unknown());

const maxMetadataBytes = 64 * 1024;

/** A JSON object in a request. */
export const Metadata = JsonObject.refine(
  (map) => storedBytes(map) <= maxMetadataBytes,
  `The JSON text must have at most ${maxMetadataBytes} bytes, with numbers written out`,
);

/** Upper bound of the size of the stored JSON text. PostgreSQL writes numbers out: 1e300 takes 301 characters instead of 5. */
function storedBytes(map: Record<string, unknown>): number {
  let exponents = 0;
  const text = JSON.stringify(map, (_key, value: unknown) => {
    if (typeof value === 'number') exponents += Math.abs(Number(String(value).split('e')[1] ?? 0));
    return value;
  });
  return new TextEncoder().encode(text).length + exponents;
}

/** ISO 8601 in UTC with milliseconds. */
export const Timestamp = z.iso.datetime();

/** The timestamps that most records have. */
export const timestamps = {
  createdAt: Timestamp.describe('Time of creation, in UTC with milliseconds. Set by the service.'),
  updatedAt: Timestamp.describe('Time of the last change, in UTC with milliseconds. Set by the service; equal to `createdAt` at first.'),
};

const DateOrDateTime = z.union([z.iso.date(), z.iso.datetime({ offset: true, local: true })]);

/**
 * Converts a date or a date-time (ISO 8601, UTC without an offset) to a timestamp. A date gets this time of day.
 * The OpenAPI document describes it as plain text, since client generators handle a union of two formats badly.
 */
const timestampFilter = (timeOfDay: string) =>
  z
    .string()
    .max(64)
    .transform((text, context) => {
      const [date = '', time = timeOfDay] = text.split('T');
      const moment = new Date(`${date}T${/(Z|[+-]..:..)$/.test(time) ? time : `${time}Z`}`);
      const year = moment.getUTCFullYear();
      if (DateOrDateTime.safeParse(text).success && year >= 1 && year <= 9999) return moment.toISOString();
      context.addIssue({ code: 'custom', message: 'Expected a date such as 2026-01-31 or a date-time such as 2026-01-31T12:00:00Z' });
      return z.NEVER;
    });

/** Filters by a time. Both ends are included. @param what the plural of what is filtered, such as `records created` */
export const timeFilters = (what: string) => ({
  startDate: timestampFilter('00:00:00.000')
    .optional()
    .describe(`Only ${what} at or after this date (2026-01-31) or date-time (2026-01-31T12:00:00Z). UTC without an offset.`)
    .meta({ example: '2026-01-01' }),
  endDate: timestampFilter('23:59:59.999')
    .optional()
    .describe(`Only ${what} at or before this date-time, or by the end of this date. UTC without an offset.`)
    .meta({ example: '2026-01-31' }),
});

type Open<T extends string> = T | (string & {});

/** A text with known values. It is no enum in the OpenAPI document: clients that are generated from a closed enum reject the values of later versions. */
export const openEnum = <T extends string>(id: string, description: string, values: readonly T[], schema = z.string()) =>
  schema.meta({ id, description, 'x-extensible-enum': values }) as unknown as z.ZodType<Open<T>, Open<T>>;
