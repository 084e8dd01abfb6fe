import { z } from 'zod';

/** A column of a CSV file. */
export interface Column {
  /** The path of the field with dots, such as `address.zipCode`. */
  readonly name: string;
  readonly path: readonly string[];
  /** The schema of the field, with its wrappers. */
  readonly schema: z.ZodType;
}

/** Lists the columns of records with this schema. The fields of nested objects are columns of their own; arrays and objects without fields are one column. */
export function columnsOf({ shape }: z.ZodObject, path: readonly string[] = []): Column[] {
  return Object.entries(shape).flatMap(([name, schema]) => {
    const inner = unwrap(schema as z.ZodType);
    const fieldPath = [...path, name];
    return inner instanceof z.ZodObject
      ? columnsOf(inner, fieldPath)
      : [{ name: fieldPath.join('.'), path: fieldPath, schema: schema as z.ZodType }];
  });
}

/** The schema inside of wrappers, such as `optional`, `nullable` and `default`. */
export function unwrap(schema: z.ZodType): z.ZodType {
  const { innerType } = schema.def as { innerType?: z.ZodType };
  return innerType ? unwrap(innerType) : schema;
}
