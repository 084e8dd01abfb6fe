import { z } from 'zod';
import { access } from './access.ts';
import { Line, Name, pageOf, paging, PartOfLine } from './fields.ts';
import { defineEndpoint } from './endpoint.ts';

const StateCode = z.int32().describe('IBGE code');

const fields = {
  uf: z.string().length(2),
  name: Name,
  latitude: z.number(),
  longitude: z.number(),
  region: Line.min(1),
};

const example = { stateCode: 35, uf: 'SP', name: 'São Paulo', latitude: -23.5329, longitude: -46.6395, region: 'Sudeste' };

export const State = z
  .object({ stateCode: StateCode, ...fields, uf: z.string(), name: z.string(), region: z.string() })
  .meta({ id: 'State', example });
const StateCreate = z.object({ stateCode: StateCode, ...fields }).meta({ id: 'StateCreate', example });
const StateUpdate = z
  .object(fields)
  .partial()
  .meta({ id: 'StateUpdate', example: { name: 'São Paulo' } });

export const states = {
  create: defineEndpoint('POST /api/states', access.user('states', 'create', 'resource:states'), {
    summary: 'Create a state',
    body: StateCreate,
    output: State,
    success: 201,
    errors: ['STATE_ALREADY_EXISTS'],
  }),
  list: defineEndpoint('GET /api/states', access.user('states', 'read', 'resource:states'), {
    summary: 'List states by name',
    query: {
      ...paging,
      name: PartOfLine.describe('Contained in the name, without regard to case and accents'),
      uf: PartOfLine,
      region: PartOfLine,
    },
    output: pageOf(State, 'StatePage'),
    success: 200,
  }),
  get: defineEndpoint('GET /api/states/{stateCode}', access.user('states', 'read', 'resource:states_id'), {
    summary: 'Get a state',
    params: { stateCode: StateCode },
    output: State,
    success: 200,
    errors: ['STATE_NOT_FOUND'],
  }),
  update: defineEndpoint('PUT /api/states/{stateCode}', access.user('states', 'update', 'resource:states_id'), {
    summary: 'Change the given fields of a state',
    params: { stateCode: StateCode },
    body: StateUpdate,
    output: State,
    success: 200,
    errors: ['STATE_NOT_FOUND', 'STATE_ALREADY_EXISTS'],
  }),
  remove: defineEndpoint('DELETE /api/states/{stateCode}', access.user('states', 'delete', 'resource:states_id'), {
    summary: 'Delete a state that nothing points at',
    params: { stateCode: StateCode },
    success: 204,
    errors: ['STATE_NOT_FOUND', 'STATE_IN_USE'],
  }),
};
