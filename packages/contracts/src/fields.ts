import { z } from 'zod';

/** Any 8-4-4-4-12 hexadecimal id, compared in lower case. */
export const Uuid = z.guid().toLowerCase();

/** Unique names are indexed; 255 characters keep them within an index entry. */
export const Name = z.string().min(1).max(255);

/*
 * Every text that an input takes has a bound, so that a list of a hundred records has one. The schemas of answers have none: what an older
 * database holds longer is still read.
 */

/** A text of one line. */
export const Line = z.string().max(255);

/** Where something is to be found: an address of a page or a file, a telephone number. */
export const Locator = z.string().max(2048);

/** A text of many lines. */
export const Prose = z.string().max(5000);

/** A filter by a part of a line. */
export const PartOfLine = Line.optional();

/** Names of hosts behind the @: parts of at most 63 characters that neither begin nor end with a hyphen. */
const mailbox =
  /^(?:[A-Za-z0-9_'+-]+\.)*[A-Za-z0-9_'+-]*[A-Za-z0-9_+-]@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]{2,63}$/;

/** Stored and compared trimmed and in lower case. What is longer before the @ no mail server takes (RFC 5321), nor the identity provider. */
export const Email = z
  .string()
  .trim()
  .toLowerCase()
  .max(254)
  .check(z.email({ pattern: mailbox }))
  .refine((address) => address.indexOf('@') <= 64, 'At most 64 characters before the @');

/** Tax id of an organization or a customer: only the length counts, since the CNPJ has letters. */
export const FederalTaxId = z.string().min(11).max(14);

/** Brazilian CPF: 11 digits, the last two computed from those before. */
export const Cpf = z
  .string()
  .regex(/^\d{11}$/, { error: 'A CPF has 11 digits', abort: true })
  .refine(isCpf, 'The check digits of the CPF are wrong');

function isCpf(cpf: string): boolean {
  if (/^(\d)\1*$/.test(cpf)) return false;
  return checkDigit(cpf.slice(0, 9)) === cpf[9] && checkDigit(cpf.slice(0, 10)) === cpf[10];
}

function checkDigit(digits: string): string {
  const sum = [...digits].reduce((total, digit, index) => total + Number(digit) * (digits.length + 1 - index), 0);
  return String(((sum * 10) % 11) % 10);
}

/** A map whose keys and values are the client's own. */
export const FreeMap = z.record(z.string(), z.unknown());

const mostBytesOfMetadata = 64 * 1024;

/** A free map as an input takes it. */
export const Metadata = FreeMap.refine((map) => storedBytes(map) <= mostBytesOfMetadata, 'At most 64 KiB as JSON').describe(
  'At most 64 KiB as JSON, with its numbers written out',
);

/** At least the size of the JSON text that the database holds: it writes numbers out, so that the five characters of 1e300 become 301. */
function storedBytes(map: Record<string, unknown>): number {
  let writtenOut = 0;
  const text = JSON.stringify(map, (_key, value: unknown) => {
    if (typeof value === 'number') writtenOut += Math.abs(Number(String(value).split('e')[1] ?? 0));
    return value;
  });
  return new TextEncoder().encode(text).length + writtenOut;
}

/** ISO 8601 in UTC with milliseconds. */
export const Timestamp = z.iso.datetime();

const DayOrMoment = z.union([z.iso.date(), z.iso.datetime({ offset: true, local: true })]);

/**
 * Text of a day or a moment (ISO 8601, UTC unless it says otherwise) as a timestamp; for a day its first or its last one.
 * Described as plain text: what generators of clients make of two formats helps nobody.
 */
const momentOf = (timeOfDay: string) =>
  z
    .string()
    .max(64)
    .transform((text, context) => {
      const [day = '', time = timeOfDay] = text.split('T');
      const moment = new Date(`${day}T${/(Z|[+-]..:..)$/.test(time) ? time : `${time}Z`}`);
      const year = moment.getUTCFullYear();
      if (DayOrMoment.safeParse(text).success && year >= 1 && year <= 9999) return moment.toISOString();
      context.addIssue({ code: 'custom', message: 'Neither a day such as 2026-01-31 nor a moment such as 2026-01-31T12:00:00Z' });
      return z.NEVER;
    });

/** Filters by the time of creation: from and until, both included. A day without a time is the whole day, in UTC. */
export const createdBetween = {
  startDate: momentOf('00:00:00.000')
    .optional()
    .describe('Created from this day (2026-01-31) or moment (2026-01-31T12:00:00Z) on; UTC unless it says otherwise'),
  endDate: momentOf('23:59:59.999').optional().describe('Created until this moment or the end of this day'),
};

export const paging = {
  page: z.int32().min(1).default(1).describe('Page, from 1'),
  limit: z.int32().min(1).max(100).default(20).describe('Items per page'),
};

/** The envelope of a paginated list; its name in the document is that of the item with `Page` behind. */
export function pageOf<Item extends z.ZodType>(item: Item, id: string) {
  const example = { data: [item.meta()?.['example']], total: 1, totalPages: 1, currentPage: 1 };
  return z.object({ data: z.array(item), total: z.int32(), totalPages: z.int32(), currentPage: z.int32() }).meta({ id, example });
}
