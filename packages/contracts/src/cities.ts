import { z } from 'zod';
import { access } from './access.ts';
import { changesOf, describeLike, shared } from './descriptions.ts';
import { defineEndpoint } from './endpoint.ts';
import { Name, ShortText } from './fields.ts';
import { defineList, equals, nameContains } from './list.ts';

function isTimeZone(name: string): boolean {
  // Intl accepts offsets such as +03:00 as time zones.
  if (/^[+-]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

const example = {
  ibgeCode: 3550308,
  name: 'São Paulo',
  latitude: -23.5329,
  longitude: -46.6395,
  capital: true,
  stateCode: 35,
  siafiId: '7107',
  ddd: 11,
  timeZone: 'America/Sao_Paulo',
};

export const City = z
  .object({
    ibgeCode: z
      .int32()
      .describe('IBGE code, 7 digits for the cities of Brazil. The key of the city: the client chooses it, and it cannot be changed.'),
    name: z.string().describe('Name in Portuguese, 1 to 255 characters in a request. Not unique.'),
    latitude: z.number().describe(shared.latitude),
    longitude: z.number().describe(shared.longitude),
    capital: z.boolean().describe('Whether this is the capital of the state. The service does not check that a state has one.'),
    stateCode: z.int32().describe('IBGE code of the state that the city is in.'),
    siafiId: z
      .string()
      .describe(
        'Code of the city in SIAFI, the financial system of the federal government: 1 to 4 characters, without leading zeros for the cities of Brazil. Unique.',
      ),
    ddd: z.int32().describe('Telephone area code (DDD), 2 digits for the cities of Brazil.'),
    timeZone: z.string().describe('IANA name of the time zone, such as `America/Sao_Paulo`.'),
  })
  .meta({ id: 'City', description: 'A city of Brazil, shared by all tenants.', example });

const { ibgeCode } = City.shape;
const editable = describeLike(City, {
  name: Name,
  latitude: z.number(),
  longitude: z.number(),
  capital: z.boolean(),
  stateCode: z.int32(),
  siafiId: z.string().min(1).max(4),
  ddd: z.int32(),
  timeZone: ShortText.min(1, { abort: true }).refine(isTimeZone, 'Expected the IANA name of a time zone, such as America/Sao_Paulo'),
});
const CityCreate = z.object({ ibgeCode, ...editable }).meta({ id: 'CityCreate', description: 'Fields of a new city.', example });
const CityUpdate = z
  .object(editable)
  .partial()
  .meta({ id: 'CityUpdate', description: changesOf('a city'), example: { ddd: 11, capital: true } });

const params = { ibgeCode: ibgeCode.meta({ example: example.ibgeCode }) };

export const cities = {
  create: defineEndpoint('POST /api/cities', access.user('cities', 'create', 'resource:cities'), {
    summary: 'Create a city',
    description: 'Rarely needed: the installation loads the 5,571 cities of Brazil.',
    body: CityCreate,
    output: City,
    success: 201,
    versioned: 'city',
    events: ['city.created'],
    errors: ['CITY_ALREADY_EXISTS', 'INVALID_STATE'],
  }),
  list: defineEndpoint('GET /api/cities', access.user('cities', 'read', 'resource:cities'), {
    summary: 'List cities',
    description: 'Ordered by name, in Portuguese alphabetical order.',
    ...defineList('city', City, {
      page: 'CityPage',
      sortable: ['ibgeCode', 'name', 'latitude', 'longitude', 'capital', 'stateCode', 'siafiId', 'ddd', 'timeZone'],
      order: 'name',
      filters: {
        name: nameContains('cities'),
        stateCode: equals(z.int32(), 'Only cities of the state with this IBGE code.'),
        capital: equals(z.boolean(), 'Only state capitals (`true`), or only other cities (`false`).'),
      },
    }),
  }),
  get: defineEndpoint('GET /api/cities/{ibgeCode}', access.user('cities', 'read', 'resource:cities_id'), {
    summary: 'Get a city',
    description: 'The key is the IBGE code.',
    params,
    output: City,
    success: 200,
    versioned: 'city',
    errors: ['CITY_NOT_FOUND'],
  }),
  update: defineEndpoint('PUT /api/cities/{ibgeCode}', access.user('cities', 'update', 'resource:cities_id'), {
    summary: 'Update a city',
    description: '`ibgeCode` cannot be changed. Another `stateCode` also changes that of the addresses in the city.',
    params,
    body: CityUpdate,
    output: City,
    success: 200,
    versioned: 'city',
    events: ['city.updated'],
    errors: ['CITY_NOT_FOUND', 'CITY_ALREADY_EXISTS', 'INVALID_STATE'],
  }),
  remove: defineEndpoint('DELETE /api/cities/{ibgeCode}', access.user('cities', 'delete', 'resource:cities_id'), {
    summary: 'Delete a city',
    description: 'The city must have no addresses.',
    params,
    success: 204,
    versioned: 'city',
    events: ['city.deleted'],
    errors: ['CITY_NOT_FOUND', 'CITY_IN_USE'],
  }),
};
