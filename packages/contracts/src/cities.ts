import { z } from 'zod';
import { access } from './access.ts';
import { describeLike } from './descriptions.ts';
import { defineEndpoint } from './endpoint.ts';
import { Name, pageOf, paging, ShortText, TextFilter } from './fields.ts';

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
    ibgeCode: z.int32().describe('IBGE code of the city.'),
    name: z.string().describe('Name of the city.'),
    latitude: z.number().describe('Latitude in degrees.'),
    longitude: z.number().describe('Longitude in degrees.'),
    capital: z.boolean().describe('Whether the city is the capital of its state.'),
    stateCode: z.int32().describe('IBGE code of the state.'),
    siafiId: z.string().describe('SIAFI code of the city, 1 to 4 characters. Unique.'),
    ddd: z.int32().describe('Telephone area code (DDD).'),
    timeZone: z.string().describe('IANA name of the time zone, such as America/Sao_Paulo.'),
  })
  .meta({ id: 'City', example });

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
const CityCreate = z.object({ ibgeCode, ...editable }).meta({ id: 'CityCreate', example });
const CityUpdate = z
  .object(editable)
  .partial()
  .meta({ id: 'CityUpdate', example: { capital: true } });

export const cities = {
  create: defineEndpoint('POST /api/cities', access.user('cities', 'create', 'resource:cities'), {
    summary: 'Create a city',
    body: CityCreate,
    output: City,
    success: 201,
    versioned: 'city',
    events: ['city.created'],
    errors: ['CITY_ALREADY_EXISTS', 'INVALID_STATE'],
  }),
  list: defineEndpoint('GET /api/cities', access.user('cities', 'read', 'resource:cities'), {
    summary: 'List cities',
    description: 'Ordered by name.',
    query: {
      ...paging,
      name: TextFilter.describe('Only cities whose name contains this text. Ignores case and accents.'),
      stateCode: z.int32().optional().describe('Only cities of this state.'),
      capital: z.boolean().optional().describe('Only state capitals (`true`), or only other cities (`false`).'),
    },
    output: pageOf(City, 'CityPage'),
    success: 200,
  }),
  get: defineEndpoint('GET /api/cities/{ibgeCode}', access.user('cities', 'read', 'resource:cities_id'), {
    summary: 'Get a city',
    params: { ibgeCode },
    output: City,
    success: 200,
    versioned: 'city',
    errors: ['CITY_NOT_FOUND'],
  }),
  update: defineEndpoint('PUT /api/cities/{ibgeCode}', access.user('cities', 'update', 'resource:cities_id'), {
    summary: 'Update a city',
    params: { ibgeCode },
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
    params: { ibgeCode },
    success: 204,
    versioned: 'city',
    events: ['city.deleted'],
    errors: ['CITY_NOT_FOUND', 'CITY_IN_USE'],
  }),
};
