import type { Contract } from '../src/index.ts';
import type { ExamplesOf, InvalidValues, Records } from './example.ts';
import { curitiba, newCity, newState, saoPaulo } from './places.ts';
import { badFlags, badIntegers, badNames, line, long, longer, none, required } from './values.ts';

const ofState = async ({ create }: Records) => ({
  stateCode: (await create<{ stateCode: number }>('POST /api/states', newState())).stateCode,
});
const ofCity = async ({ create }: Records) => ({ ibgeCode: (await create<{ ibgeCode: number }>('POST /api/cities', newCity())).ibgeCode });
const invalidState: InvalidValues = {
  uf: ['S', 'SPP'],
  name: ['', ...badNames, longer(line)],
  latitude: ['0', null],
  longitude: [true],
  region: ['', null],
};
const invalidCity: InvalidValues = {
  name: ['', ...badNames, longer(line)],
  latitude: ['0'],
  longitude: [null],
  capital: ['false'],
  stateCode: badIntegers,
  siafiId: ['', '71071', 7107],
  ddd: ['11', 1.5],
  timeZone: ['', 'Brasília', 'America/Nowhere', '-03:00', 3],
};
const STATE_NOT_FOUND = () => ({ stateCode: 99 });
const CITY_NOT_FOUND = () => ({ ibgeCode: 1 });
const STATE_ALREADY_EXISTS = () => ({ uf: 'SP' });

export const states: ExamplesOf<Contract['states']> = {
  create: {
    valid: newState,
    limits: () => ({ name: long(line) }),
    invalid: required({ ...invalidState, stateCode: badIntegers }),
    lengths: { region: line },
    errors: { STATE_ALREADY_EXISTS },
    record: { generated: {}, unique: { fields: ['stateCode', 'uf'], code: 'STATE_ALREADY_EXISTS' } },
  },
  list: {
    valid: none,
    optional: () => ({ name: 'a', uf: 'SP', region: 'Sul' }),
    invalid: { name: ['\0'] },
    lengths: { name: line, uf: line, region: line },
  },
  get: {
    valid: () => ({ stateCode: saoPaulo.stateCode }),
    invalid: { stateCode: ['SP', '35.5', '99999999999', '\0'] },
    errors: { STATE_NOT_FOUND },
  },
  update: {
    valid: async (records) => ({ ...(await ofState(records)), name: 'Velha' }),
    changes: () => ({ uf: newState().uf, name: 'Other', latitude: 1.5, longitude: 1.5, region: 'Other' }),
    fixed: { stateCode: 35 },
    invalid: invalidState,
    lengths: { region: line },
    errors: { STATE_NOT_FOUND, STATE_ALREADY_EXISTS },
  },
  remove: { valid: ofState, errors: { STATE_NOT_FOUND, STATE_IN_USE: () => ({ stateCode: curitiba.stateCode }) } },
};

export const cities: ExamplesOf<Contract['cities']> = {
  create: {
    valid: newCity,
    limits: () => ({ name: long(line), timeZone: 'America/Noronha' }),
    invalid: required({ ...invalidCity, ibgeCode: badIntegers }),
    errors: { CITY_ALREADY_EXISTS: () => ({ ibgeCode: saoPaulo.cityCode }), INVALID_STATE: STATE_NOT_FOUND },
    record: { generated: {}, unique: { fields: ['ibgeCode', 'siafiId'], code: 'CITY_ALREADY_EXISTS' } },
  },
  list: {
    valid: none,
    optional: () => ({ name: 'a', stateCode: 35, capital: true }),
    invalid: { stateCode: ['SP'], capital: badFlags, name: ['\0'] },
    lengths: { name: line },
  },
  get: {
    valid: () => ({ ibgeCode: saoPaulo.cityCode }),
    invalid: { ibgeCode: ['Curitiba', '1.5', '99999999999'] },
    errors: { CITY_NOT_FOUND },
  },
  update: {
    valid: async (records) => ({ ...(await ofCity(records)), name: 'Velha' }),
    changes: () => ({
      name: 'Other',
      latitude: 1.5,
      longitude: 1.5,
      capital: true,
      stateCode: 41,
      siafiId: newCity().siafiId,
      ddd: 41,
      timeZone: 'America/Manaus',
    }),
    fixed: { ibgeCode: 3550308 },
    invalid: invalidCity,
    errors: { CITY_NOT_FOUND, CITY_ALREADY_EXISTS: () => ({ siafiId: '7107' }), INVALID_STATE: STATE_NOT_FOUND },
  },
  remove: {
    valid: ofCity,
    errors: {
      CITY_NOT_FOUND,
      CITY_IN_USE: async ({ organization }) => {
        await organization();
        return { ibgeCode: saoPaulo.cityCode };
      },
    },
  },
};
