import { newCity, praca, saoPaulo } from '@profile-service/contracts/examples';
import { describe, expect, test } from 'vitest';
import { organizationOf, useWorldWithMap } from '../support/organizations.ts';
import type { City, CityPage, OrganizationAddress, StatePage } from '../support/records.ts';

/** Order and filters of the lists, and the state of a city. crud.test.ts tests what all resources have in common. */
const world = useWorldWithMap();

const listStates = async (query: string) => (await world.call<StatePage>(world.global, `GET /api/states?${query}`)).body;
const listCities = async (query: string) => (await world.call<CityPage>(world.global, `GET /api/cities?${query}`)).body;
const namesIn = ({ data }: StatePage | CityPage) => data.map(({ name }) => name);
const collator = new Intl.Collator('pt-BR');

describe('GET /api/states', () => {
  // Rules: LISTS-4, STATES-3
  test('sorts the states by name in Portuguese order', async () => {
    const names = namesIn(await listStates('limit=100'));
    expect(names).toEqual(names.toSorted(collator.compare));
    expect(names.filter((name) => name.startsWith('Par'))).toEqual(['Pará', 'Paraíba', 'Paraná']);
  });

  // Rules: STATES-4
  test.each([
    ['name=sao', ['São Paulo']],
    ['name=PAR%C3%81', ['Pará', 'Paraíba', 'Paraná']],
    ['name=%25', []],
    ['uf=SP', ['São Paulo']],
    ['uf=sp', ['São Paulo']],
    ['uf=S', []],
    ['region=Sul', ['Paraná', 'Rio Grande do Sul', 'Santa Catarina']],
    ['region=sul&name=grande', ['Rio Grande do Sul']],
    ['uf=SP&region=Sul', []],
    ["uf=' or true --", []],
  ])('filters by %s', async (query, names) => {
    expect(namesIn(await listStates(query))).toEqual(names);
  });
});

describe('GET /api/cities', () => {
  // Rules: CITIES-5, LISTS-4
  test('sorts the cities by name in Portuguese order, then by code, over all pages', async () => {
    const seen: City[] = [];
    for (const page of [1, 2, 3, 4]) seen.push(...(await listCities(`stateCode=41&limit=100&page=${page}`)).data);
    expect(new Set(seen.map(({ ibgeCode }) => ibgeCode)).size).toBe(399);
    expect(seen).toEqual(seen.toSorted((one, other) => collator.compare(one.name, other.name)));
    const { data } = await listCities('name=bom%20jesus&limit=100');
    const same = data.filter(({ name }) => name === 'Bom Jesus').map(({ ibgeCode }) => ibgeCode);
    expect(same.length).toBeGreaterThan(1);
    expect(same).toEqual(same.toSorted((one, other) => one - other));
  });

  // Rules: CITIES-6
  test.each([
    ['name=sao%20paulo', ['São Paulo', 'São Paulo das Missões', 'São Paulo de Olivença', 'São Paulo do Potengi']],
    ['name=paulo&stateCode=35&capital=true', ['São Paulo']],
    ["name=D'ALHO", ["São João do Pau d'Alho"]],
    ['capital=true&stateCode=41', ['Curitiba']],
    ['name=curitib&capital=false', ['Curitibanos']],
    ['stateCode=99', []],
    ['name=%25', []],
  ])('filters by %s', async (query, found) => {
    expect(namesIn(await listCities(`${query}&limit=100`))).toEqual(found);
  });
});

describe('PUT /api/cities/{ibgeCode}', () => {
  test('moves the addresses in the city to its new state', async () => {
    const city = await world.create<City>('POST /api/cities', newCity());
    const address = { ...praca, cityCode: city.ibgeCode, stateCode: city.stateCode };
    const { organizationAddressId } = await organizationOf(world, undefined, { address });
    expect((await world.call(world.global, `PUT /api/cities/${city.ibgeCode}`, { stateCode: 41 })).status).toBe(200);
    const { body } = await world.call<OrganizationAddress>(world.global, `GET /api/organization-addresses/${organizationAddressId}`);
    expect(body).toMatchObject({ cityCode: city.ibgeCode, stateCode: 41 });
  });

  // Rules: CITIES-4
  test('rejects an unknown stateCode with INVALID_STATE for a city with addresses', async () => {
    await organizationOf(world);
    const answer = await world.call(world.global, `PUT /api/cities/${saoPaulo.cityCode}`, { stateCode: 99 });
    expect(answer).toMatchObject({ status: 400, code: 'INVALID_STATE' });
  });
});
