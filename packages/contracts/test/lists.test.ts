import { expect, test } from 'vitest';
import { z } from 'zod';
import { endpoints } from '../src/index.ts';

/** Texts of more than 255 characters, and the key of a file. */
const unsortable = ['description', 'logoPath', 'filePath', 'url', 'value'];

// Rules: LISTS-8, LISTS-14
test.each(endpoints.flatMap(({ name, endpoint }) => (endpoint.list ? [{ name, endpoint, list: endpoint.list }] : [])))(
  '$name can be sorted by each text, number, boolean and time of its records, and filtered by each reference',
  ({ endpoint: { output, query }, list }) => {
    const { data } = (output as z.ZodObject<{ data: z.ZodArray<z.ZodObject> }>).shape;
    const fields = Object.entries(data.element.shape);
    const types = (schema: z.ZodType) => {
      const { type, anyOf = [] } = z.toJSONSchema(schema, { reused: 'inline' }) as {
        type?: string;
        anyOf?: { type?: string; $ref?: string }[];
      };
      return [type, ...anyOf.map((each) => each.type ?? 'string')];
    };
    const scalars = fields.filter(
      ([name, schema]) => !unsortable.includes(name) && !types(schema).some((type) => ['object', 'array'].includes(type ?? 'string')),
    );
    expect(Object.keys(list.sortable)).toEqual(scalars.map(([name]) => name));
    const references = fields.flatMap(([name]) =>
      /.(Id|Code)$/.test(name) && !/TaxId|identity|siafi|zip/.test(name) && name !== list.key ? [name] : [],
    );
    expect(Object.keys(query)).toEqual(expect.arrayContaining(['page', 'limit', 'cursor', 'sort', 'ids', ...references]));
    expect('updatedSince' in query).toBe('updatedAt' in data.element.shape);
  },
);
