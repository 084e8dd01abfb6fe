import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { endpoints } from '../src/index.ts';
import { Cpf, Metadata } from '../src/fields.ts';

/** A value in a schema: a text, a list, a map and so on. */
interface Value {
  path: string;
  schema: z.core.$ZodType;
  jsonSchema: z.core.JSONSchema.BaseSchema;
}

/** An empty registry, so that JSON Schemas contain no references. */
const noNames = z.registry<z.core.GlobalMeta>();

function valuesIn(schema: z.core.$ZodType, path = ''): Value[] {
  if (schema instanceof z.ZodObject)
    return Object.entries(schema.shape).flatMap(([name, inner]) => valuesIn(inner, path ? `${path}.${name}` : name));
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return valuesIn(schema.def.innerType, path);
  // The input side of a transformation.
  if (schema instanceof z.ZodPipe) return valuesIn(schema.in, path);
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((option) => valuesIn(option, path));
  const value = { path, schema, jsonSchema: z.toJSONSchema(schema, { io: 'input', metadata: noNames }) };
  return schema instanceof z.ZodArray ? [value, ...valuesIn(schema.element, `${path}[]`)] : [value];
}

/** Whether the matches of the pattern have a maximum length: nothing outside of classes and escapes repeats without a limit. */
const isBoundedPattern = (pattern = '*'): boolean => !/[*+]|\{\d*,\}/.test(pattern.replaceAll(/\\.|\[[^\]]*\]/g, 'x'));

const huge = { text: 'x'.repeat(2 ** 20) };

function isBounded({ schema, jsonSchema: { type, format, pattern, enum: values, maxLength, maxItems } }: Value): boolean {
  if (values || type === 'boolean' || type === 'number' || type === 'integer') return true;
  if (type === 'string') return maxLength !== undefined || format === 'uuid' || isBoundedPattern(pattern);
  if (type === 'array') return maxItems !== undefined;
  // The limit of a map is a refinement, which the JSON Schema lacks. A schema for any value has no type and counts as unbounded.
  return type === 'object' && !z.safeParse(schema, huge).success;
}

const unboundedIn = (schema: z.ZodType): string[] => valuesIn(schema).flatMap((value) => (isBounded(value) ? [] : value.path));

const boundedIn = (schema: z.ZodType): string[] =>
  valuesIn(schema).flatMap(({ path, jsonSchema: { minLength, maxLength, minItems, maxItems } }) =>
    [minLength, maxLength, minItems, maxItems].some((bound) => bound !== undefined) ? path : [],
  );

describe('requests', () => {
  // Rules: LIMITS-2
  test.each(endpoints)('every text, list and map of $name has a maximum size', ({ endpoint: { params, query, body } }) => {
    expect(unboundedIn(z.object({ ...params, ...query, ...body?.shape }))).toEqual([]);
  });

  test('the check finds values without a maximum size', () => {
    const map = z.record(z.string(), z.unknown());
    const bare = { text: z.string().min(1), digits: z.string().regex(/^\d+$/), list: z.array(z.boolean()), map, anything: z.unknown() };
    const wrapped = z.object({ ...bare, maybe: z.object(bare).partial().nullish(), many: z.array(z.string()).max(2) });
    const names = Object.keys(bare);
    expect(unboundedIn(wrapped)).toEqual([...names, ...names.map((name) => `maybe.${name}`), 'many[]']);
    const bounded = { text: z.string().max(1), cpf: Cpf, id: z.guid(), list: z.array(z.boolean()).max(1), map: Metadata };
    expect(unboundedIn(z.object(bounded))).toEqual([]);
  });
});

describe('responses', () => {
  const outputs = endpoints.flatMap(({ name, endpoint: { output } }) => (output ? [{ name, output }] : []));

  test.each(outputs)('no value of $name has a minimum or maximum size, since older records may exceed it', ({ output }) => {
    expect(boundedIn(output)).toEqual([]);
  });

  test('the check finds values with a minimum or maximum size', () => {
    const limited = { short: z.string().max(1), filled: z.string().min(1).nullable(), list: z.array(z.string().max(1)).max(1) };
    expect(boundedIn(z.object(limited))).toEqual(['short', 'filled', 'list', 'list[]']);
  });
});

describe('metadata', () => {
  const isValid = (map: Record<string, unknown>) => Metadata.safeParse(map).success;
  const emptyBytes = '{"text":""}'.length;

  test('has at most 64 KiB of JSON text in UTF-8, with keys and nested values', () => {
    for (const [text, bytes] of Object.entries({ a: 1, ç: 2, '\n': 2, '🌱': 4 })) {
      const most = Math.floor((65_536 - emptyBytes) / bytes);
      expect(isValid({ text: text.repeat(most) })).toBe(true);
      expect(isValid({ text: text.repeat(most + 1) })).toBe(false);
    }
    expect(isValid({ ['x'.repeat(65_536)]: 1 })).toBe(false);
    expect(isValid({ a: [{ b: ['x'.repeat(65_536)] }] })).toBe(false);
  });

  test.each([1e300, -1e300, 1.5e-300])('counts the size of numbers as PostgreSQL writes them: %d', (number) => {
    expect(isValid({ list: Array.from({ length: 200 }, () => number) })).toBe(true);
    expect(isValid({ list: Array.from({ length: 220 }, () => number) })).toBe(false);
  });
});
