import type { Input, InvalidValues, Records } from './example.ts';

/** An id that no record has. */
export const absentId = '01936f2a-7c1e-7b44-9d5e-0a1b2c3d4e5f';

/** The most characters of a line, of a path or URL, and of a description (LIMITS-2). */
export const [line, locator, prose] = [255, 2048, 5000];

/** Nothing visible, or characters that change the direction of text. */
export const badNames = [
  '  ',
  '\t\n',
  '\u0001',
  '\u00a0\u3000',
  '\u200b\u2060\ufeff',
  '\u{e0020}',
  '\u202eanA',
  'An\u2066a',
  'Ana\u200f',
  'A\u061cna',
];
/** A text with one character more than the limit. */
export const longer = (limit: number): string => 'x'.repeat(limit + 1);
/** A text of letters that take two bytes. */
export const long = (length: number): string => 'ç'.repeat(length);
export const badFlags = ['1', 'yes'];
/** The values that no export accepts. */
export const badExports = { format: ['xlsx'], delimiter: ['|'], bom: badFlags };
export const badIntegers = ['1', 1.5, 2 ** 31];
export const badTaxIds = ['1'.repeat(10), '1'.repeat(15), ' 400000209533 ', '123.456-78901', '１２３４５６７８９０１', 'ABCDEFGHIJÇ'];

/** Adds the rejection of an absent field. */
export const required = (values: InvalidValues, ...fields: string[]): InvalidValues =>
  Object.fromEntries([...new Set([...Object.keys(values), ...fields])].map((field) => [field, [...(values[field] ?? []), undefined]]));
/** The values of fields inside another field. */
export const within = (field: string, values: InvalidValues): InvalidValues =>
  Object.fromEntries(Object.entries(values).map(([name, each]) => [`${field}.${name}`, each]));

/** The input of an endpoint that needs none. */
export const none = () => ({});
/** The input that names a record by its id. */
export const byId = (make: (records: Records) => Promise<{ id: string }>) => async (records: Records) => ({ id: (await make(records)).id });
/** A change of the input that names no record in this field. */
export const absent = (field: string) => (): Input => ({ [field]: absentId });

/** The fields that the service sets on most records. */
export const idAndTimes = { id: 'id', createdAt: 'time', updatedAt: 'time' } as const;
