import type { City, State } from '../../test/oracle/model.ts';
import { anyCode, equals } from './draws.ts';
import { drive } from './records.ts';

const inPortuguese = new Intl.Collator('pt-BR');
const compare = (one: { name: string }, other: { name: string }): number => inPortuguese.compare(one.name, other.name);
const lower = (text: unknown) => (typeof text === 'string' ? text.toLowerCase() : text);

export const states = drive<State>('state', {
  compare,
  matches: ({ uf, region }, wanted) => equals(lower(uf), lower(wanted['uf'])) && equals(lower(region), lower(wanted['region'])),
});

export const cities = drive<City>('city', {
  compare,
  draw: ({ model, random }) => ({
    timeZone: random.oneOf('America/Sao_Paulo', 'America/Manaus'),
    stateCode: anyCode({ random }, model.states),
  }),
  // The city of an address belongs to the state of the address: when a city changes its state, its addresses change theirs.
  changed({ model }, { ibgeCode, stateCode }) {
    for (const address of model.organizationAddresses.values()) if (address.cityCode === ibgeCode) address.stateCode = stateCode;
  },
});
