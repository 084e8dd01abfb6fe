import { curitiba, organizationOf, saoPaulo } from '../support/organizations.ts';
import { absent, but, type ErrorScenario, type ErrorScenarios } from './error-scenario.ts';
import type { Fixture } from './fixture-types.ts';
import type { EndpointName } from './samples.ts';

const knownName: ErrorScenario = async ({ world }: Fixture) => {
  const name = world.newTaxId();
  await world.create('POST /api/document-types', { name });
  return { name };
};
const unknownState = (name: EndpointName) => but(name, () => ({ stateCode: 99 }));
const unknownCity = (name: EndpointName) => but(name, () => ({ ibgeCode: 1 }));

/** Errors of the endpoints for data that all tenants share. */
export const referenceCodes: Partial<Record<EndpointName, ErrorScenarios>> = {
  'documentTypes.create': { DOCUMENT_TYPE_ALREADY_EXISTS: but('documentTypes.create', knownName) },
  'documentTypes.get': { DOCUMENT_TYPE_NOT_FOUND: absent('documentTypes.get', 'id') },
  'documentTypes.update': {
    DOCUMENT_TYPE_NOT_FOUND: absent('documentTypes.update', 'id'),
    DOCUMENT_TYPE_ALREADY_EXISTS: but('documentTypes.update', knownName),
  },
  'documentTypes.remove': { DOCUMENT_TYPE_NOT_FOUND: absent('documentTypes.remove', 'id') },
  'states.create': { STATE_ALREADY_EXISTS: but('states.create', () => ({ uf: 'SP' })) },
  'states.get': { STATE_NOT_FOUND: unknownState('states.get') },
  'states.update': {
    STATE_NOT_FOUND: unknownState('states.update'),
    STATE_ALREADY_EXISTS: but('states.update', () => ({ uf: 'SP' })),
  },
  'states.remove': {
    STATE_NOT_FOUND: unknownState('states.remove'),
    STATE_IN_USE: async () => ({ stateCode: curitiba.stateCode }),
  },
  'cities.create': {
    CITY_ALREADY_EXISTS: but('cities.create', () => ({ ibgeCode: saoPaulo.cityCode })),
    INVALID_STATE: unknownState('cities.create'),
  },
  'cities.get': { CITY_NOT_FOUND: unknownCity('cities.get') },
  'cities.update': {
    CITY_NOT_FOUND: unknownCity('cities.update'),
    CITY_ALREADY_EXISTS: but('cities.update', () => ({ siafiId: '7107' })),
    INVALID_STATE: unknownState('cities.update'),
  },
  'cities.remove': {
    CITY_NOT_FOUND: unknownCity('cities.remove'),
    CITY_IN_USE: async ({ world }) => {
      await organizationOf(world);
      return { ibgeCode: saoPaulo.cityCode };
    },
  },
};
