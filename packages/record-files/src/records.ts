import { type CheckJson, type Convert, converterOf, InvalidCell } from './cells.ts';
import { type Column, isNullable } from './columns.ts';
import { unescapeFormula } from './formulas.ts';

export interface CellError {
  /** Name of the column. Empty if the error concerns the row. */
  readonly path: string;
  readonly message: string;
}

export interface FileRow {
  /** Number of the row, from 1. The header and empty rows do not count. */
  row: number;
  /** Line of the file at which the row begins, from 1. */
  line: number;
  /** The record as a JSON body would have it. It is not validated. */
  input: Record<string, unknown>;
  /** Cells that could not be converted. `input` does not have them. */
  errors: readonly CellError[];
  /** The cells as in the file, in the order of `columns`. A row of the wrong length has more or fewer. For NDJSON, the text of the values in a CSV file. */
  cells: readonly string[];
}

/** Reads a record from its cells. Adds what could not be converted to `errors`. */
export type ReadRecord = (cells: readonly string[], errors: CellError[]) => Record<string, unknown>;

interface CellOptions {
  codes?: readonly string[];
  checkJson?: CheckJson | undefined;
}

interface Field {
  readonly cell: number;
  readonly key: string;
  readonly column: string;
  readonly nullable: boolean;
  readonly convert: Convert;
}

/** The columns of an object. Its nested objects and arrays are by the name of their field. */
interface ObjectColumns {
  readonly fields: Field[];
  readonly objects: Map<string, ObjectColumns>;
  /** The elements by their index. */
  readonly arrays: Map<string, Map<number, ObjectColumns>>;
}

/** Compiles the reader of a file's records. @param columns in the order of the cells. Undefined: the cell is ignored. @param options see `ReadOptions` */
export function recordReader(columns: readonly (Column | undefined)[], options: CellOptions = {}): ReadRecord {
  const root = createObject();
  for (const [cell, column] of columns.entries()) if (column) addColumn(root, cell, column, options);
  sortElements(root);
  return (cells, errors) => {
    const record: Record<string, unknown> = {};
    readObject(root, record, cells, errors);
    return record;
  };
}

const createObject = (): ObjectColumns => ({ fields: [], objects: new Map(), arrays: new Map() });

function addColumn(root: ObjectColumns, cell: number, { name, path, schema }: Column, { codes = [], checkJson }: CellOptions): void {
  let object = root;
  const keys = path.slice(0, -1);
  for (let at = 0; at < keys.length; at += 1) {
    const [key = '', index = ''] = keys.slice(at, at + 2);
    if (isIndex(index)) {
      object = child(
        child(object.arrays, key, () => new Map<number, ObjectColumns>()),
        Number(index),
        createObject,
      );
      at += 1;
    } else object = child(object.objects, key, createObject);
  }
  const isCode = codes.includes(path.filter((key) => !isIndex(key)).join('.'));
  const convert = converterOf(schema, isCode, checkJson);
  object.fields.push({ cell, key: path.at(-1) ?? '', column: name, nullable: isNullable(schema), convert });
}

const isIndex = (key: string): boolean => /^\d+$/.test(key);

function child<Key, Value>(children: Map<Key, Value>, key: Key, create: () => Value): Value {
  const value = children.get(key) ?? create();
  children.set(key, value);
  return value;
}

function sortElements({ objects, arrays }: ObjectColumns): void {
  for (const object of objects.values()) sortElements(object);
  for (const [key, elements] of arrays) {
    for (const element of elements.values()) sortElements(element);
    arrays.set(key, new Map([...elements].toSorted(([one], [other]) => one - other)));
  }
}

/** Reads the fields of an object. @returns whether one of its cells is not empty */
function readObject(
  { fields, objects, arrays }: ObjectColumns,
  record: Record<string, unknown>,
  cells: readonly string[],
  errors: CellError[],
): boolean {
  let filled = false;
  for (const field of fields) if (readField(field, record, cells, errors)) filled = true;
  for (const [key, columns] of objects) {
    const object = {};
    if (!readObject(columns, object, cells, errors)) continue;
    record[key] = object;
    filled = true;
  }
  for (const [key, elements] of arrays) {
    const array = readElements(elements, cells, errors);
    if (array.length === 0) continue;
    record[key] = array;
    filled = true;
  }
  return filled;
}

function readElements(elements: ReadonlyMap<number, ObjectColumns>, cells: readonly string[], errors: CellError[]): unknown[] {
  const array: unknown[] = [];
  for (const columns of elements.values()) {
    const element = {};
    if (readObject(columns, element, cells, errors)) array.push(element);
  }
  return array;
}

function readField(field: Field, record: Record<string, unknown>, cells: readonly string[], errors: CellError[]): boolean {
  const cell = unescapeFormula(cells[field.cell] ?? '');
  const value = cell === '' ? undefined : field.convert(cell);
  if (value instanceof InvalidCell) errors.push({ path: field.column, message: value.message });
  else if (value !== undefined) record[field.key] = value;
  else if (field.nullable) record[field.key] = null;
  return value !== undefined;
}
