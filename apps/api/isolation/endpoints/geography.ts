import type { City, Model, State } from '../../test/oracle/model.ts';
import { anyCode, contains, equals, filters, next, someOf } from './draws.ts';
import type { DrawContext } from './driver.ts';
import { drive } from './records.ts';

const inPortuguese = new Intl.Collator('pt-BR');
const byName = (one: { name: string }, other: { name: string }): number => inPortuguese.compare(one.name, other.name);
const values = <T>(table: ReadonlyMap<number, T>): T[] => [...table.values()];

/** Two characters. They repeat after 1,296 numbers. */
const newUf = (): string => (next() % 36 ** 2).toString(36).toUpperCase().padStart(2, '0');
const ufIsTaken = (model: Model, uf: unknown, by?: State): boolean => values(model.states).some((state) => state !== by && state.uf === uf);

export const states = drive<State>({
  table: 'states',
  key: 'stateCode',
  notFound: 'STATE_NOT_FOUND',
  editable: ['uf', 'name', 'region'],
  drawCreation: ({ model, random }) => ({
    stateCode: random.chance(0.1) ? (random.pick([...model.states.keys()]) ?? next()) : 1000 + next(),
    uf: newUf(),
    name: `State ${String(next()).padStart(9, '0')}`,
    latitude: 1,
    longitude: 2,
    region: 'Norte',
  }),
  drawChanges: (context) => someOf(context, { name: `State ${String(next()).padStart(9, '0')}`, region: 'Sul' }),
  drawFilters: (context) =>
    filters(context, { name: () => String(context.random.index(10)), region: () => context.random.oneOf('Sul', 'norte') }),
  matches: (state, { name, region }) =>
    contains(state.name, name) && (typeof region !== 'string' || state.region.toLowerCase() === region.toLowerCase()),
  compare: byName,
  refuseCreation: ({ model, input }) =>
    model.states.has(Number(input['stateCode'])) || ufIsTaken(model, input['uf']) ? 'STATE_ALREADY_EXISTS' : undefined,
  refuseChange: ({ model, input }, record) => (ufIsTaken(model, input['uf'], record) ? 'STATE_ALREADY_EXISTS' : undefined),
  make: ({ input }) => input as unknown as State,
  refuseRemoval: ({ model }, { stateCode }) =>
    [...values(model.cities), ...model.addresses.values()].some((holder) => holder.stateCode === stateCode) ? 'STATE_IN_USE' : undefined,
});

const drawState = (context: DrawContext): number => anyCode(context, context.model.states);
const stateIsUnknown = (model: Model, stateCode: unknown): string | undefined =>
  stateCode === undefined || model.states.has(Number(stateCode)) ? undefined : 'INVALID_STATE';

export const cities = drive<City>({
  table: 'cities',
  key: 'ibgeCode',
  notFound: 'CITY_NOT_FOUND',
  editable: ['name', 'capital', 'stateCode', 'ddd'],
  drawCreation: (context) => ({
    ibgeCode: 5_000_000 + next(),
    name: `City ${String(next()).padStart(9, '0')}`,
    latitude: 1,
    longitude: 2,
    capital: false,
    stateCode: drawState(context),
    siafiId: next().toString(36).slice(-4),
    ddd: 11,
    timeZone: 'America/Sao_Paulo',
  }),
  drawChanges: (context) => someOf(context, { name: `City ${String(next()).padStart(9, '0')}`, ddd: 12, stateCode: drawState(context) }),
  drawFilters: (context) => filters(context, { name: () => String(context.random.index(10)), stateCode: () => drawState(context) }),
  matches: (city, { name, stateCode }) => contains(city.name, name) && equals(city.stateCode, stateCode),
  compare: byName,
  refuseCreation: ({ model, input }) => stateIsUnknown(model, input['stateCode']),
  refuseChange: ({ model, input }) => stateIsUnknown(model, input['stateCode']),
  make: ({ input }) => input as unknown as City,
  // The city of an address belongs to the state of the address: when a city changes its state, its addresses change theirs.
  changed: ({ model }, { ibgeCode, stateCode }) => {
    for (const address of model.addresses.values()) if (address.cityCode === ibgeCode) address.stateCode = stateCode;
  },
  refuseRemoval: ({ model }, { ibgeCode }) =>
    [...model.addresses.values()].some(({ cityCode }) => cityCode === ibgeCode) ? 'CITY_IN_USE' : undefined,
});
