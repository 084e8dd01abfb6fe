import { access, pageOf, defineEndpoint, endpoints, Uuid } from '@profile-service/contracts';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createDocument } from '../../openapi/document.ts';
import document from '../../openapi.json' with { type: 'json' };

const schemas: Record<string, any> = document.components.schemas;
const problems: Record<string, any> = document.components.examples;

const ajv = new Ajv2020({ strict: false });
formats.default(ajv);
ajv.addSchema(document, 'document');

function faultsOf(schema: string, value: unknown): string {
  ajv.validate({ $ref: `document#/components/schemas/${schema}` }, value);
  return ajv.errorsText();
}

describe('examples', () => {
  test.each(Object.keys(schemas).filter((name) => schemas[name].examples))('of %s are valid', (name) => {
    for (const example of schemas[name].examples) expect(faultsOf(name, example)).toBe('No errors');
  });

  test('stand with every body', () => {
    const bodies = endpoints.flatMap(({ endpoint }) => [endpoint.body, endpoint.output]).flatMap((schema) => schema?.meta()?.id ?? []);
    expect(bodies.filter((name) => !schemas[name].examples)).toEqual([]);
  });

  test.each(Object.keys(problems))('of %s are problems of that code', (code) => {
    expect(problems[code].value.code).toBe(code);
    expect(faultsOf('Problem', problems[code].value)).toBe('No errors');
  });
});

describe('schemas', () => {
  test('are open, sized and without needless patterns', () => {
    expect(JSON.stringify(schemas)).not.toMatch(/"additionalProperties":false|"propertyNames"|Output"/);
    expect(schemas['UserPage'].properties.total).toEqual({ type: 'integer', format: 'int32' });
    expect(schemas['User'].properties.id).toEqual({ type: 'string', format: 'uuid' });
    expect(schemas['User'].properties.createdAt).toEqual({ type: 'string', format: 'date-time' });
    expect(schemas['UserCreate'].properties.email.pattern).toBeTypeOf('string');
    expect(schemas['Tenant'].properties.metadata.anyOf).toEqual([{ type: 'object', additionalProperties: true }, { type: 'null' }]);
  });

  const place = { latitude: z.number().nullable(), bytes: z.int() };

  test('are one where they are both sent and received', () => {
    const Place = z.object({ id: Uuid, ...place }).meta({ id: 'Place' });
    const made = schemasOfExchange(Place);
    expect(Object.keys(made)).toEqual(['ErrorCode', 'FieldError', 'Place', 'PlaceCreate', 'PlacePage', 'Problem']);
    expect(made['PlacePage'].properties.data.items).toEqual({ $ref: '#/components/schemas/Place' });
    expect(made['Place'].properties.latitude).toEqual({ type: ['number', 'null'], format: 'double' });
    expect(made['Place'].properties.bytes.format).toBe('int64');
  });

  test('refuse a name that would stand for two', () => {
    const Place = z.object({ ...place, name: z.string().default('here') }).meta({ id: 'Place' });
    expect(() => schemasOfExchange(Place)).toThrow('Place');
  });
});

/** What becomes of a schema that one row both takes and gives. */
function schemasOfExchange(place: z.ZodObject): Record<string, any> {
  const exchange = defineEndpoint('POST /api/places', access.me, {
    summary: 'Exchange places',
    body: z.object({ place }).meta({ id: 'PlaceCreate' }),
    output: pageOf(place, 'PlacePage'),
    success: 201,
  });
  return createDocument([{ name: 'apps.create', endpoint: exchange }]).components?.schemas ?? {};
}
