import { z } from 'zod';

/** A column of a CSV file. */
export interface Column {
  /** The path of the field with dots, such as `address.zipCode`. */
  readonly name: string;
  readonly path: readonly string[];
  /** The schema of the field, with its wrappers. */
  readonly schema: z.ZodType;
}

/**
 * Lists the columns of records with this schema. The fields of nested objects are columns of their own; arrays and objects without fields are one column.
 * @param elements returns for how many elements an array of objects has columns, such as `contacts.0.type`. 0, the default: the array is one column.
 */
export function columnsOf(
  { shape }: z.ZodObject,
  path: readonly string[] = [],
  elements: (path: readonly string[]) => number = () => 0,
): Column[] {
  return Object.entries(shape).flatMap(([name, field]) => {
    const schema = field as z.ZodType;
    const fieldPath = [...path, name];
    const inner = unwrap(schema);
    if (inner instanceof z.ZodObject) return columnsOf(inner, fieldPath, elements);
    const element = elementOf(inner);
    const count = element ? elements(fieldPath) : 0;
    if (!element || count === 0) return [{ name: fieldPath.join('.'), path: fieldPath, schema }];
    return Array.from({ length: count }, (_, index) => columnsOf(element, [...fieldPath, String(index)], elements)).flat();
  });
}

/** The schema inside of wrappers, such as `optional`, `nullable` and `default`. Of a schema with a transform, the schema of its input. */
export function unwrap(schema: z.ZodType): z.ZodType {
  const inner = innerOf(schema);
  return inner ? unwrap(inner) : schema;
}

function innerOf({ def }: z.ZodType): z.ZodType | undefined {
  const { innerType, in: input, out: output } = def as { innerType?: z.ZodType; in?: z.ZodType; out?: z.ZodType };
  return innerType ?? (input?.type === 'transform' ? output : input);
}

/** The schema of the elements of an array of objects. Undefined for other schemas. @param schema a schema without wrappers */
export function elementOf(schema: z.ZodType): z.ZodObject | undefined {
  if (!(schema instanceof z.ZodArray)) return undefined;
  const element = unwrap(schema.element as z.ZodType);
  return element instanceof z.ZodObject ? element : undefined;
}

/** Whether a request may send null for the field. */
export function isNullable(schema: z.ZodType): boolean {
  if (schema.type === 'nullable') return true;
  const inner = innerOf(schema);
  return inner !== undefined && isNullable(inner);
}

/** Whether a request must have the field: it is neither optional nor has a default. */
export const isRequired = (schema: z.ZodType): boolean => !schema.safeParse(undefined).success;

/** An index of an array in a column name: 0 to 99, without leading zeros. */
const indexPattern = /^(?:\d|[1-9]\d)$/;

/**
 * Finds the column with this name, such as `address.zipCode` or `contacts.0.type`. Undefined if the schema has no such field.
 * @param names the parts of the name
 * @param ignoreCase whether to find a column whose name differs only in its case. The result has the right name.
 */
export function findColumn(schema: z.ZodObject, names: readonly string[], ignoreCase = false): Column | undefined {
  const [name = '', ...rest] = names;
  const key = Object.keys(schema.shape).find((field) => field === name || (ignoreCase && field.toLowerCase() === name.toLowerCase()));
  if (key === undefined) return undefined;
  const field = schema.shape[key] as z.ZodType;
  const inner = unwrap(field);
  if (inner instanceof z.ZodObject) return within([key], findColumn(inner, rest, ignoreCase));
  const element = elementOf(inner);
  // An array of objects in one column is JSON, as in the results of a file that was NDJSON.
  if (rest.length === 0) return { name: key, path: [key], schema: field };
  if (!element) return undefined;
  const [index = '', ...path] = rest;
  return indexPattern.test(index) ? within([key, index], findColumn(element, path, ignoreCase)) : undefined;
}

function within(parents: readonly string[], column: Column | undefined): Column | undefined {
  if (!column) return undefined;
  const path = [...parents, ...column.path];
  return { ...column, path, name: path.join('.') };
}

/**
 * Lists the required columns that are missing. The columns of an object are required if the object is, or if one of them is present; those of an element of
 * an array if one of its columns is present.
 */
export function missingColumns({ shape }: z.ZodObject, present: readonly string[], prefix = ''): string[] {
  return Object.entries(shape).flatMap(([key, field]) => {
    const schema = field as z.ZodType;
    const inner = unwrap(schema);
    const name = prefix + key;
    const columns = present.filter((column) => column.startsWith(`${name}.`));
    if (inner instanceof z.ZodObject) return isRequired(schema) || columns.length > 0 ? missingColumns(inner, present, `${name}.`) : [];
    const element = elementOf(inner);
    if (!element) return isRequired(schema) && !present.includes(name) ? [name] : [];
    const indexes = new Set(columns.map((column) => column.slice(name.length + 1).split('.', 1)[0]));
    return [...indexes].flatMap((index) => missingColumns(element, present, `${name}.${index}.`));
  });
}
