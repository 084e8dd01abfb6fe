import type { z } from 'zod';

/** Copies descriptions from the fields of a record to request fields of the same name, so that each is written once. */
export function describeLike<Fields extends Readonly<Record<string, z.ZodType>>>(record: z.ZodObject, fields: Fields): Fields {
  const described = Object.entries(fields).map(([name, schema]) => {
    const { description } = record.shape[name] ?? {};
    return [name, description === undefined ? schema : schema.describe(description)];
  });
  return Object.fromEntries(described) as Fields;
}
