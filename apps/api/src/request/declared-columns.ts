import type { Access, Endpoint, Method } from '@profile-service/contracts';
import type { DB } from '@profile-service/db';
import type { z } from 'zod';

type ListEndpoint<Item> = Endpoint<Method, Access, unknown, unknown, unknown, { data: Item[] }>;

/**
 * Returns the columns of a table that the rows of a list declare, for `select`. Lists do not read the other columns, such as `searchName`.
 * Does not compile if a declared field is not a column of the table.
 */
export function listedColumns<Item, T extends keyof DB>(
  { output }: ListEndpoint<Item>,
  table: T & ([Exclude<keyof Item, keyof DB[T]>] extends [never] ? unknown : never),
): `${T}.${keyof Item & string}`[] {
  const { data } = (output as z.ZodObject<{ data: z.ZodArray<z.ZodObject> }>).shape;
  return Object.keys(data.element.shape).map((field) => `${table}.${field as keyof Item & string}` as const);
}

type BodyEndpoint<Input> = Endpoint<Method, Access, unknown, Input>;

/**
 * Returns the fields of a body, which are the columns that the endpoint sets.
 * @param others fields of the input that are no columns of the table, such as those of the path
 */
export function bodyColumns<Input, const Other extends keyof Input & string = never>(
  { body }: BodyEndpoint<Input>,
  ...others: Other[]
): Exclude<keyof Input & string, Other>[] {
  const fields = Object.keys(body?.shape ?? {}) as (keyof Input & string)[];
  return fields.filter((field): field is Exclude<keyof Input & string, Other> => !(others as string[]).includes(field));
}
