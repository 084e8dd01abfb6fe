import { z } from 'zod';
import { access } from './access.ts';
import { Line, Name, pageOf, paging, PartOfLine } from './fields.ts';
import { defineEndpoint } from './endpoint.ts';

const IbgeCode = z.int32();

const fields = {
  name: Name,
  latitude: z.number(),
  longitude: z.number(),
  capital: z.boolean(),
  stateCode: z.int32(),
  siafiId: z.string().min(1).max(4),
  ddd: z.int32().describe('Area code of its telephones'),
  timeZone: Line.min(1, { abort: true }).refine(isTimeZone, 'Not the name of an IANA time zone').describe('IANA zone name'),
};

function isTimeZone(name: string): boolean {
  // Offsets are time zones to Intl, but no names.
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
  .object({ ibgeCode: IbgeCode, ...fields, name: z.string(), siafiId: z.string(), timeZone: z.string() })
  .meta({ id: 'City', example });
const CityCreate = z.object({ ibgeCode: IbgeCode, ...fields }).meta({ id: 'CityCreate', example });
const CityUpdate = z
  .object(fields)
  .partial()
  .meta({ id: 'CityUpdate', example: { capital: true } });

export const cities = {
  create: defineEndpoint('POST /api/cities', access.user('cities', 'create', 'resource:cities'), {
    summary: 'Create a city',
    body: CityCreate,
    output: City,
    success: 201,
    errors: ['CITY_ALREADY_EXISTS', 'INVALID_STATE'],
  }),
  list: defineEndpoint('GET /api/cities', access.user('cities', 'read', 'resource:cities'), {
    summary: 'List cities by name',
    query: {
      ...paging,
      name: PartOfLine.describe('Contained in the name, without regard to case and accents'),
      stateCode: z.int32().optional(),
      capital: z.boolean().optional(),
    },
    output: pageOf(City, 'CityPage'),
    success: 200,
  }),
  get: defineEndpoint('GET /api/cities/{ibgeCode}', access.user('cities', 'read', 'resource:cities_id'), {
    summary: 'Get a city',
    params: { ibgeCode: IbgeCode },
    output: City,
    success: 200,
    errors: ['CITY_NOT_FOUND'],
  }),
  update: defineEndpoint('PUT /api/cities/{ibgeCode}', access.user('cities', 'update', 'resource:cities_id'), {
    summary: 'Change the given fields of a city',
    params: { ibgeCode: IbgeCode },
    body: CityUpdate,
    output: City,
    success: 200,
    errors: ['CITY_NOT_FOUND', 'CITY_ALREADY_EXISTS', 'INVALID_STATE'],
  }),
  remove: defineEndpoint('DELETE /api/cities/{ibgeCode}', access.user('cities', 'delete', 'resource:cities_id'), {
    summary: 'Delete a city that no address points at',
    params: { ibgeCode: IbgeCode },
    success: 204,
    errors: ['CITY_NOT_FOUND', 'CITY_IN_USE'],
  }),
};
