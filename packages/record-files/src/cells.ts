import { z } from 'zod';
import { unwrap } from './columns.ts';
import { forbiddenIn } from './json.ts';

/** A cell that could not be converted. */
export class InvalidCell {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

/** Converts the text of a cell that is not empty to a JSON value. Returns undefined for a cell that counts as empty, or an `InvalidCell`. */
export type Convert = (cell: string) => unknown;

/** Says why a JSON text is rejected before it is parsed. The path is that in the text. */
export type CheckJson = (text: string) => { readonly path: string; readonly message: string } | undefined;

/** Creates the converter of a column. @param isCode whether everything but letters and digits is removed from the cells */
export function converterOf(schema: z.ZodType, isCode: boolean, checkJson?: CheckJson): Convert {
  const inner = unwrap(schema);
  const kind = kindOf(inner);
  const readJson = jsonReader(checkJson);
  if (kind === 'json') return readJson;
  const convert = isCode ? readCode : kind === 'list' ? listReader(inner as z.ZodArray, readJson) : converters[kind];
  return (cell) => (shortened.test(cell) ? isShortened : convert(cell));
}

type Kind = 'text' | 'number' | 'boolean' | 'json' | 'list';

function kindOf(schema: z.ZodType): Kind {
  if (schema instanceof z.ZodArray) {
    const element = kindOf(unwrap(schema.element as z.ZodType));
    return element === 'json' || element === 'list' ? 'json' : 'list';
  }
  switch (schema.type) {
    case 'number':
    case 'int':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'record':
    case 'object':
    case 'unknown':
    case 'any':
      return 'json';
    default:
      return 'text';
  }
}

/** What spreadsheets make of a long number. Its last digits are lost. */
const shortened = /^-?\d(?:[.,]\d+)?E\+\d{1,2}$/i;
const isShortened = new InvalidCell(
  'The spreadsheet has shortened the number. Format the column as text, and enter the number again in full',
);

const notLetterOrDigit = /[^\p{L}\p{N}]+/gu;
const onlyLettersAndDigits = /^[0-9A-Za-z]+$/;

function readCode(cell: string): string | undefined {
  const code = onlyLettersAndDigits.test(cell) ? cell : cell.replace(notLetterOrDigit, '');
  return code === '' ? undefined : code;
}

/** The last part is how JavaScript, and so an export, writes numbers near 0, such as 1e-7. */
const numberPattern = /^-?\d+(?:[.,]\d+)?(?:e-\d{1,3})?$/;
const notNumber = new InvalidCell('Expected a number');

function readNumber(cell: string): number | InvalidCell {
  if (!numberPattern.test(cell)) return notNumber;
  const value = Number(cell.replace(',', '.'));
  return Number.isFinite(value) ? value : notNumber;
}

const booleans = new Map([
  ['true', true],
  ['sim', true],
  ['verdadeiro', true],
  ['1', true],
  ['false', false],
  ['não', false],
  ['nao', false],
  ['falso', false],
  ['0', false],
]);
const notBoolean = new InvalidCell(`Expected one of ${[...booleans.keys()].join(', ')}`);

/** `normalize` composes the letters of `não`, which macOS may write as two characters. */
const readBoolean = (cell: string): boolean | InvalidCell => booleans.get(cell.trim().normalize().toLowerCase()) ?? notBoolean;

const notJson = new InvalidCell('Expected JSON');

const jsonReader =
  (checkJson?: CheckJson): Convert =>
  (cell) => {
    let value: unknown;
    try {
      value = JSON.parse(cell);
    } catch {
      return notJson;
    }
    const reason = checkJson?.(cell)?.message ?? forbiddenIn(value);
    return reason === undefined ? value : new InvalidCell(reason);
  };

/** Reads values with commas between them, or the JSON that an export writes. */
function listReader(array: z.ZodArray, readJson: Convert): Convert {
  const convert = converterOf(array.element as z.ZodType, false);
  return (cell) => {
    if (cell.startsWith('[')) return readJson(cell);
    const texts = cell.split(',').map((text) => text.trim());
    const values = texts.filter((text) => text !== '').map(convert);
    return values.find((value) => value instanceof InvalidCell) ?? values;
  };
}

const converters = { text: (cell: string) => cell, number: readNumber, boolean: readBoolean } as const;
