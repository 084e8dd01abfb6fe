import type { z } from 'zod';
import { invalid } from '../../handler/invalid.ts';

type Read = (text: string) => unknown;

/** Converts the text of a parameter. The transport converts it, so that the schemas are the same for every transport. */
const readers: Partial<Record<string, Read>> = {
  number: (text) => (/^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text),
  boolean: (text) => (text === 'true' ? true : text === 'false' ? false : text),
};

/** Creates the function that reads the declared query parameters. A parameter that is given twice is rejected. */
export function compileQuery(shape: Readonly<Record<string, z.ZodType>>): (search: URLSearchParams) => Record<string, unknown> {
  const parameters = Object.entries(shape).map(([name, schema]) => ({ name, read: readers[typeOf(schema)] ?? ((text: string) => text) }));
  return (search) => {
    const query: Record<string, unknown> = {};
    for (const { name, read } of parameters) {
      const [value, ...more] = search.getAll(name);
      if (more.length > 0) throw invalid(name, 'Given more than once');
      if (value !== undefined) query[name] = read(value);
    }
    return query;
  };
}

/** Creates the function that reads the declared path parameters. */
export function compileParams(
  shape: Readonly<Record<string, z.ZodType>>,
): (params: Record<string, string | undefined>) => Record<string, unknown> {
  const parameters = Object.entries(shape).map(([name, schema]) => ({ name, read: readers[typeOf(schema)] ?? ((text: string) => text) }));
  return (params) => Object.fromEntries(parameters.map(({ name, read }) => [name, read(params[name] ?? '')]));
}

function typeOf(schema: z.ZodType): string {
  const { def } = schema as z.ZodType & { def: { type: string; innerType?: z.ZodType } };
  return def.innerType ? typeOf(def.innerType) : def.type;
}
