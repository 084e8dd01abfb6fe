import { access, pageOf, defineEndpoint, endpoints, Uuid } from '@profile-service/contracts';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { demoOrganizations } from '../../local/organizations.ts';
import { demoGlobal, demoPeople, demoTenants } from '../../local/people.ts';
import { createDocument } from '../../openapi/document.ts';
import document from '../../openapi.json' with { type: 'json' };

const schemas: Record<string, any> = document.components.schemas;

/** The schema of a property without its description. */
function typeOf(schema: string, property: string): object {
  const { description: _, ...type } = schemas[schema].properties[property];
  return type;
}

// `redocly lint` validates the examples.
describe('examples', () => {
  test('of new records have no unique value of the demo data, so that they can be sent to it', () => {
    const people = [demoGlobal, ...demoPeople].flatMap(({ email, federalTaxId }) => [email, federalTaxId]);
    const tenants = demoTenants.flatMap(({ app, clientId }) => [app, clientId]);
    const organizations = demoOrganizations.map(({ organization }) => organization.federalTaxId);
    const created = JSON.stringify(Object.entries(schemas).map(([name, { examples }]) => (name.endsWith('Create') ? examples : [])));
    expect([...people, ...tenants, ...organizations].filter((value) => created.includes(JSON.stringify(value)))).toEqual([]);
  });

  test('exist for every request and response body', () => {
    const bodies = endpoints.flatMap(({ endpoint }) => [endpoint.body, endpoint.output]).flatMap((schema) => schema?.meta()?.id ?? []);
    expect(bodies.filter((name) => !schemas[name].examples)).toEqual([]);
  });

  test('of problems have the code of their name', () => {
    for (const [code, { value }] of Object.entries<any>(document.components.examples)) expect(value.code).toBe(code);
  });
});

describe('schemas', () => {
  test('have open objects, formats of numbers, and no redundant patterns', () => {
    expect(JSON.stringify(schemas)).not.toMatch(/"additionalProperties":false|"propertyNames"|Output"/);
    expect(typeOf('UserPage', 'total')).toEqual({ type: 'integer', format: 'int32' });
    expect(typeOf('User', 'id')).toEqual({ type: 'string', format: 'uuid' });
    expect(typeOf('User', 'createdAt')).toEqual({ type: 'string', format: 'date-time' });
    expect(schemas['UserCreate'].properties.email.pattern).toBeTypeOf('string');
    expect(schemas['Tenant'].properties.metadata.anyOf).toEqual([{ $ref: '#/components/schemas/JsonObject' }, { type: 'null' }]);
    expect(schemas['JsonObject']).toMatchObject({ type: 'object', additionalProperties: true });
  });

  test('name each enum, object and map, so that each is one type in every language', () => {
    const bodies = Object.values(schemas).flatMap(({ enum: _, ...schema }) => Object.values(schema));
    expect(unnamedIn([bodies, document.paths])).toEqual([]);
    expect(unnamedIn(schemas['User'])).toEqual([schemas['User']]);
  });

  const place = { latitude: z.number().nullable(), bytes: z.int() };

  test('that requests and responses share are one component', () => {
    const Place = z.object({ id: Uuid, ...place }).meta({ id: 'Place' });
    const components = schemasOfExchange(Place);
    expect(Object.keys(components)).toEqual(['FieldError', 'JsonObject', 'Place', 'PlaceCreate', 'PlacePage', 'Problem']);
    expect(components['PlacePage'].properties.data.items).toEqual({ $ref: '#/components/schemas/Place' });
    expect(components['Place'].properties.latitude).toEqual({ type: ['number', 'null'], format: 'double' });
    expect(components['Place'].properties.bytes.format).toBe('int64');
  });

  test('cannot differ between request and response', () => {
    const Place = z.object({ ...place, name: z.string().default('here') }).meta({ id: 'Place' });
    expect(() => schemasOfExchange(Place)).toThrow('Place');
  });
});

/** Finds enums, objects and maps in a part of the document. */
function unnamedIn(part: any): object[] {
  if (typeof part !== 'object' || part === null) return [];
  const isNamed = part.enum || part.type === 'object';
  const inner = Object.entries(part).flatMap(([key, value]) => (['example', 'examples'].includes(key) ? [] : unnamedIn(value)));
  return isNamed ? [part, ...inner] : inner;
}

/** The schemas of a document with one endpoint that has this schema in its request and its response. */
function schemasOfExchange(place: z.ZodObject): Record<string, any> {
  const exchange = defineEndpoint('POST /api/places', access.me, {
    summary: 'Exchange places',
    body: z.object({ place }).meta({ id: 'PlaceCreate' }),
    output: pageOf(place, 'PlacePage'),
    success: 201,
    events: ['state.created'],
  });
  return createDocument([{ name: 'apps.create', endpoint: exchange }]).components?.schemas ?? {};
}
