import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { endpoints } from '../src/index.ts';
import { Cpf, Metadata } from '../src/fields.ts';

/** A text, list, map or whatever else a schema has in it, as JSON Schema has it. */
interface Place {
  path: string;
  schema: z.core.$ZodType;
  written: z.core.JSONSchema.BaseSchema;
}

/** Without their names schemas are written in full. */
const noNames = z.registry<z.core.GlobalMeta>();

function placesIn(schema: z.core.$ZodType, path = ''): Place[] {
  if (schema instanceof z.ZodObject)
    return Object.entries(schema.shape).flatMap(([name, inner]) => placesIn(inner, path ? `${path}.${name}` : name));
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return placesIn(schema.def.innerType, path);
  // What comes in at its beginning.
  if (schema instanceof z.ZodPipe) return placesIn(schema.in, path);
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((option) => placesIn(option, path));
  const place = { path, schema, written: z.toJSONSchema(schema, { io: 'input', metadata: noNames }) };
  return schema instanceof z.ZodArray ? [place, ...placesIn(schema.element, `${path}[]`)] : [place];
}

/** Whether each match has an end: nothing outside of classes and escapes is repeated at will. */
const isFinite = (pattern = '*'): boolean => !/[*+]|\{\d*,\}/.test(pattern.replaceAll(/\\.|\[[^\]]*\]/g, 'x'));

const huge = { text: 'x'.repeat(2 ** 20) };

function isBounded({ schema, written: { type, format, pattern, enum: values, maxLength, maxItems } }: Place): boolean {
  if (values || type === 'boolean' || type === 'number' || type === 'integer') return true;
  if (type === 'string') return maxLength !== undefined || format === 'uuid' || isFinite(pattern);
  if (type === 'array') return maxItems !== undefined;
  // A map says it in a rule of its own. Of what is anything nothing is known.
  return type === 'object' && !z.safeParse(schema, huge).success;
}

const unboundedIn = (schema: z.ZodType): string[] => placesIn(schema).flatMap((place) => (isBounded(place) ? [] : place.path));

const boundedIn = (schema: z.ZodType): string[] =>
  placesIn(schema).flatMap(({ path, written: { minLength, maxLength, minItems, maxItems } }) =>
    [minLength, maxLength, minItems, maxItems].some((bound) => bound !== undefined) ? path : [],
  );

describe('an input', () => {
  // Rules: LIMITS-2
  test.each(endpoints)('of $name has no text, list or map without a bound', ({ endpoint: { params, query, body } }) => {
    expect(unboundedIn(z.object({ ...params, ...query, ...body?.shape }))).toEqual([]);
  });

  test('that had one would be noticed', () => {
    const map = z.record(z.string(), z.unknown());
    const bare = { text: z.string().min(1), digits: z.string().regex(/^\d+$/), list: z.array(z.boolean()), map, anything: z.unknown() };
    const wrapped = z.object({ ...bare, maybe: z.object(bare).partial().nullish(), many: z.array(z.string()).max(2) });
    const names = Object.keys(bare);
    expect(unboundedIn(wrapped)).toEqual([...names, ...names.map((name) => `maybe.${name}`), 'many[]']);
    const bounded = { text: z.string().max(1), cpf: Cpf, id: z.guid(), list: z.array(z.boolean()).max(1), map: Metadata };
    expect(unboundedIn(z.object(bounded))).toEqual([]);
  });
});

describe('an answer', () => {
  const answers = endpoints.flatMap(({ name, endpoint: { output } }) => (output ? [{ name, output }] : []));

  test.each(answers)('of $name has no bound: what is stored is given, however long', ({ output }) => {
    expect(boundedIn(output)).toEqual([]);
  });

  test('that had one would be noticed', () => {
    const sent = { short: z.string().max(1), filled: z.string().min(1).nullable(), list: z.array(z.string().max(1)).max(1) };
    expect(boundedIn(z.object(sent))).toEqual(['short', 'filled', 'list', 'list[]']);
  });
});

describe('metadata', () => {
  const takes = (map: Record<string, unknown>) => Metadata.safeParse(map).success;
  const around = '{"text":""}'.length;

  test.each([
    ['a', 1],
    ['ç', 2],
    ['\n', 2],
    ['🌱', 4],
  ])('is at most 64 KiB of JSON, in bytes: of %j', (text, bytes) => {
    const most = Math.floor((65_536 - around) / bytes);
    expect(takes({ text: text.repeat(most) })).toBe(true);
    expect(takes({ text: text.repeat(most + 1) })).toBe(false);
  });

  test('counts keys, and what is deep in it', () => {
    expect(takes({ ['x'.repeat(65_536)]: 1 })).toBe(false);
    expect(takes({ a: [{ b: ['x'.repeat(65_536)] }] })).toBe(false);
  });

  test.each([1e300, -1e300, 1.5e-300])('counts numbers as the database writes them: %d', (number) => {
    expect(takes({ list: Array.from({ length: 200 }, () => number) })).toBe(true);
    expect(takes({ list: Array.from({ length: 220 }, () => number) })).toBe(false);
  });
});
