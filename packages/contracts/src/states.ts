import { z } from 'zod';
import { access } from './access.ts';
import { changesOf, describeLike, shared } from './descriptions.ts';
import { defineEndpoint } from './endpoint.ts';
import { Name, ShortText } from './fields.ts';
import { defineList, equalsText, nameContains } from './list.ts';

const example = { stateCode: 35, uf: 'SP', name: 'São Paulo', latitude: -23.5329, longitude: -46.6395, region: 'Sudeste' };

export const State = z
  .object({
    stateCode: z
      .int32()
      .describe('IBGE code, 2 digits for the states of Brazil. The key of the state: the client chooses it, and it cannot be changed.'),
    uf: z.string().describe('Abbreviation of the state (unidade federativa): two characters, such as `SP`. Unique.'),
    name: z.string().describe('Name in Portuguese, 1 to 255 characters in a request.'),
    latitude: z.number().describe(shared.latitude),
    longitude: z.number().describe(shared.longitude),
    region: z
      .string()
      .describe('Region of the country in Portuguese: `Norte`, `Nordeste`, `Centro-Oeste`, `Sudeste` or `Sul`. Not checked.'),
  })
  .meta({ id: 'State', description: 'A state of Brazil, shared by all tenants.', example });

const { stateCode } = State.shape;
const editable = describeLike(State, {
  uf: z.string().length(2),
  name: Name,
  latitude: z.number(),
  longitude: z.number(),
  region: ShortText.min(1),
});
const StateCreate = z.object({ stateCode, ...editable }).meta({ id: 'StateCreate', description: 'Fields of a new state.', example });
const StateUpdate = z
  .object(editable)
  .partial()
  .meta({ id: 'StateUpdate', description: changesOf('a state'), example: { region: 'Sudeste' } });

const params = { stateCode: stateCode.meta({ example: example.stateCode }) };

export const states = {
  create: defineEndpoint('POST /api/states', access.user('states', 'create', 'resource:states'), {
    summary: 'Create a state',
    description: 'Rarely needed: the installation loads the 27 states of Brazil.',
    body: StateCreate,
    output: State,
    success: 201,
    versioned: 'state',
    events: ['state.created'],
    errors: ['STATE_ALREADY_EXISTS'],
  }),
  list: defineEndpoint('GET /api/states', access.user('states', 'read', 'resource:states'), {
    summary: 'List states',
    description: 'Ordered by name, in Portuguese alphabetical order.',
    ...defineList('state', State, {
      page: 'StatePage',
      sortable: ['stateCode', 'uf', 'name', 'latitude', 'longitude', 'region'],
      order: 'name',
      filters: {
        name: nameContains('states'),
        uf: equalsText('Only the state with this abbreviation. Ignores case.'),
        region: equalsText('Only states of this region. Ignores case and accents.'),
      },
    }),
  }),
  get: defineEndpoint('GET /api/states/{stateCode}', access.user('states', 'read', 'resource:states_id'), {
    summary: 'Get a state',
    description: 'The key is the IBGE code, not the abbreviation.',
    params,
    output: State,
    success: 200,
    versioned: 'state',
    errors: ['STATE_NOT_FOUND'],
  }),
  update: defineEndpoint('PUT /api/states/{stateCode}', access.user('states', 'update', 'resource:states_id'), {
    summary: 'Update a state',
    description: '`stateCode` cannot be changed.',
    params,
    body: StateUpdate,
    output: State,
    success: 200,
    versioned: 'state',
    events: ['state.updated'],
    errors: ['STATE_NOT_FOUND', 'STATE_ALREADY_EXISTS'],
  }),
  remove: defineEndpoint('DELETE /api/states/{stateCode}', access.user('states', 'delete', 'resource:states_id'), {
    summary: 'Delete a state',
    description: 'The state must have no cities and no addresses.',
    params,
    success: 204,
    versioned: 'state',
    events: ['state.deleted'],
    errors: ['STATE_NOT_FOUND', 'STATE_IN_USE'],
  }),
};
