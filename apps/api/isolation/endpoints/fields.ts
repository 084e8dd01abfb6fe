import { type Endpoint, recordOf, recordTypes, type RecordType } from '@profile-service/contracts';
import { z } from 'zod';
import { tableOf } from '../../test/oracle/model.ts';
import { anyCode, anyId, anyUserId, newTaxId, next } from './draws.ts';
import type { DrawContext, Input } from './driver.ts';

/** References that are not named `<type>Id`. */
const codes: Record<string, RecordType> = { stateCode: 'state', cityCode: 'city' };

/** The type of the records that a field refers to: `customerId` names a customer. */
export const referencedType = (field: string): RecordType | undefined => codes[field] ?? recordTypes.find((type) => field === `${type}Id`);

/** The key of a record of this type: usually of a live one, sometimes of a removed one or of none. */
export function drawKey(context: DrawContext, type: RecordType): unknown {
  const [key] = recordOf(type).key;
  const table = tableOf(context.model, type);
  if (type === 'user') return anyUserId(context);
  return key?.endsWith('Code') ? anyCode(context, table as Map<never, object>) : anyId(context, table as Map<never, object>);
}

const byName: Record<string, () => unknown> = {
  federalTaxId: newTaxId,
  startDate: () => '2020-01-01',
  updatedSince: () => '2020-01-01',
  endDate: () => '2990-01-01',
};

const noNames = z.registry<z.core.GlobalMeta>();
const jsonSchema = (schema: z.ZodType): z.core.JSONSchema.BaseSchema => {
  const { anyOf, ...whole } = z.toJSONSchema(schema, { io: 'input', metadata: noNames });
  return (anyOf?.[0] as z.core.JSONSchema.BaseSchema | undefined) ?? whole;
};

/** Whether a filter of this schema matches any part of a text. Other filters match the whole value. */
export const isFreeText = (schema: z.ZodType): boolean => {
  const { type, enum: values, format } = jsonSchema(schema);
  return type === 'string' && !values && !format;
};

/** A valid value of a field, by its name and schema. Texts contain a word that occurs nowhere else. */
function drawValue(context: DrawContext, field: string, schema: z.ZodType): unknown {
  const referenced = referencedType(field);
  if (referenced) return drawKey(context, referenced);
  if (byName[field]) return byName[field]();
  const { type, enum: values, format, minLength = 1, maxLength = 255 } = jsonSchema(schema);
  if (values) return context.random.pick(values);
  if (format === 'uuid') return anyId(context, context.model.organizations);
  if (type === 'boolean') return context.random.chance(0.5);
  if (type === 'array') return [];
  if (type === 'object') return {};
  if (type !== 'string') return 1 + context.random.index(90);
  if (format === 'email') return `m${next()}x@example.com`;
  return maxLength > 10 ? `m${next()}x` : next().toString(36).toUpperCase().padStart(minLength, '0').slice(-maxLength);
}

type Shape = Endpoint['params'];
const isRequired = (schema: z.ZodType): boolean => !schema.safeParse(undefined).success;

/** Values for the required fields, and for some of the optional ones. */
export const drawFields = (context: DrawContext, shape: Shape, except: readonly string[] = []): Input =>
  Object.fromEntries(
    Object.entries(shape).flatMap(([field, schema]) =>
      !except.includes(field) && (isRequired(schema) || context.random.chance(0.3)) ? [[field, drawValue(context, field, schema)]] : [],
    ),
  );

/** Some filters of a list. A text is that of one of the records, or a digit, which occurs in many. */
export const drawFilters = (context: DrawContext, query: Shape, records: ReadonlyMap<unknown, object> = new Map()): Input => {
  const { random } = context;
  const drawText = (field: string) => {
    const value = (random.pick([...records.values()]) as Input | undefined)?.[field];
    return typeof value === 'string' && random.chance(0.5) ? value.toLowerCase() : String(random.index(10));
  };
  const drawn = Object.entries(query).filter(
    ([field]) => !['page', 'limit', 'cursor', 'sort', 'ids'].includes(field) && random.chance(0.3),
  );
  return Object.fromEntries(
    drawn.map(([field, schema]) => [field, isFreeText(schema) && !byName[field] ? drawText(field) : drawValue(context, field, schema)]),
  );
};
