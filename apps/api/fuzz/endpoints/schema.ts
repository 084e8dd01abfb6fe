import fc from 'fast-check';
import { z } from 'zod';

/** The part of JSON Schema that this test understands. */
export interface Schema {
  $ref?: string;
  $defs?: Record<string, Schema>;
  type?: string | string[];
  format?: string;
  pattern?: string;
  enum?: unknown[];
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  propertyNames?: Schema;
  additionalProperties?: Schema | boolean;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  maxItems?: number;
}

/** Values that fit a field, or a whole object, better than random values of its schema. */
export interface Hints {
  field(name: string, own: fc.Arbitrary<unknown>): fc.Arbitrary<unknown>;
  object(names: readonly string[], own: fc.Arbitrary<object>): fc.Arbitrary<object>;
}

/** What a client may send, as JSON Schema. Throws if the schema cannot be expressed. */
export const schemaOf = (shape: z.ZodType): Schema => z.toJSONSchema(shape, { io: 'input' }) as Schema;

/** Values that the schema allows. Throws for an unsupported schema, so that no endpoint is skipped silently. */
export function valuesOf(schema: Schema, hints: Hints, defs: Record<string, Schema> = schema.$defs ?? {}): fc.Arbitrary<unknown> {
  const inner = (next: Schema): fc.Arbitrary<unknown> => valuesOf(next, hints, defs);
  if (schema.$ref) return inner(defs[schema.$ref.replace('#/$defs/', '')] ?? fail(schema));
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(inner));
  if (Array.isArray(schema.type)) return fc.oneof(...schema.type.map((type) => inner({ ...schema, type })));
  switch (schema.type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return fc.integer({ min: schema.minimum ?? fail(schema), max: schema.maximum ?? fail(schema) });
    case 'number':
      return numbers(schema);
    case 'string':
      return texts(schema);
    case 'array':
      return fc.array(inner(schema.items ?? fail(schema)), { maxLength: Math.min(schema.maxItems ?? 5, 5) });
    case 'object':
      return objects(schema, hints, inner);
    default:
      return fail(schema);
  }
}

function fail(schema: Schema): never {
  throw new Error(`The fuzz test cannot make what the schema wants: ${JSON.stringify(schema)}`);
}

const numbers = ({ minimum = -1e9, maximum = 1e9 }: Schema) =>
  fc.double({ min: minimum, max: maximum, noNaN: true, noDefaultInfinity: true });

function texts({ format, pattern, minLength = 0, maxLength = 60 }: Schema): fc.Arbitrary<string> {
  if (format === 'uuid') return fc.uuid();
  // The pattern alone allows extremely long labels.
  if (format === 'email') return fc.emailAddress().filter((email) => new RegExp(pattern ?? '').test(email));
  // The pattern of a long text only excludes some characters.
  const isFreeText = maxLength === 255;
  if (pattern && !isFreeText) return fc.stringMatching(new RegExp(pattern));
  const longest = Math.min(maxLength, Math.max(60, minLength));
  const clip = (text: string): string => text.slice(0, maxLength).toWellFormed();
  const free = fc.oneof(
    fc.string({ minLength, maxLength: longest, unit: 'grapheme-ascii' }),
    fc.string({ minLength, maxLength: longest, unit: 'grapheme' }).map(clip),
  );
  return pattern ? free.filter((text) => new RegExp(pattern).test(text) && /[\p{L}\p{N}]/u.test(text)) : free;
}

/** Whether the service accepts all numbers in a value: it rejects integers from 2^53 (D-5). */
function isExact(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isInteger(value) || Number.isSafeInteger(value);
  return typeof value !== 'object' || value === null || Object.values(value).every(isExact);
}

function objects(schema: Schema, hints: Hints, inner: (next: Schema) => fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const { properties, required = [], additionalProperties } = schema;
  if (!properties) {
    if (typeof additionalProperties !== 'object') return fail(schema);
    return fc.dictionary(fc.string({ unit: 'grapheme', maxLength: 10 }), fc.jsonValue({ maxDepth: 3 }).filter(isExact), { maxKeys: 4 });
  }
  const model = Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, hints.field(name, inner(property))]));
  return hints.object(Object.keys(properties), fc.record(model, { requiredKeys: required, noNullPrototype: true }) as fc.Arbitrary<object>);
}
