import type { z } from 'zod';

type Fields = Readonly<Record<string, z.ZodType>>;

/** Copies descriptions from the fields of a record to request fields of the same name, so that each is written once. */
export function describeLike<RequestFields extends Fields>(record: { shape: Fields }, fields: RequestFields): RequestFields {
  const described = Object.entries(fields).map(([name, schema]) => {
    const description = record.shape[name]?.description;
    return [name, description === undefined ? schema : schema.describe(description)];
  });
  return Object.fromEntries(described) as RequestFields;
}
