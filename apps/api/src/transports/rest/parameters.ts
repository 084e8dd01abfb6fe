import type { z } from 'zod';
import { validationFailed } from '../../request/validation-failed.ts';

type Shape = Readonly<Record<string, z.ZodType>>;

/** Converts the text of a parameter. Text that cannot be converted stays as it is, and the schema rejects it. */
type Convert = (text: string) => unknown;

/** The conversions by type of the schema. The schemas themselves convert nothing, so that they are the same for every transport. */
const conversions: Partial<Record<string, Convert>> = {
  number: (text) => (/^-?\d+$/.test(text) ? Number(text) : text),
  boolean: (text) => (text === 'true' ? true : text === 'false' ? false : text),
};

/**
 * Creates the function that reads the declared query parameters. It throws VALIDATION_FAILED for a parameter that occurs twice (INPUT-8). It ignores
 * unknown parameters (INPUT-9).
 */
export function createQueryReader(shape: Shape): (search: string) => Record<string, unknown> {
  const parameters = parametersOf(shape);
  return (text) => {
    const query: Record<string, unknown> = {};
    if (text === '') return query;
    const search = new URLSearchParams(text);
    for (const { name, convert } of parameters) {
      const [value, ...more] = search.getAll(name);
      if (more.length > 0) throw validationFailed(name, 'Given more than once');
      if (value !== undefined) query[name] = convert(value);
    }
    return query;
  };
}

/** Creates the function that reads the declared path parameters. */
export function createPathReader(shape: Shape): (params: Record<string, string | undefined>) => Record<string, unknown> {
  const parameters = parametersOf(shape);
  return (params) => {
    const path: Record<string, unknown> = {};
    for (const { name, convert } of parameters) path[name] = convert(params[name] ?? '');
    return path;
  };
}

const parametersOf = (shape: Shape): { name: string; convert: Convert }[] =>
  Object.entries(shape).map(([name, schema]) => ({ name, convert: conversionOf(schema) }));

/** The conversion of a schema, whatever its wrappers, such as `optional` and `default`. */
function conversionOf(schema: z.ZodType): Convert {
  const { def } = schema as z.ZodType & { def: { type: string; innerType?: z.ZodType; element?: z.ZodType } };
  if (def.innerType) return conversionOf(def.innerType);
  if (!def.element) return conversions[def.type] ?? ((text) => text);
  const convert = conversionOf(def.element);
  // An empty filter counts as absent.
  return (text) => (text === '' ? text : text.split(',').map(convert));
}
