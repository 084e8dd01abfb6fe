import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newCity } from '../support/geography.ts';
import { curitiba, organizationOf, praca, saoPaulo, startWorldWithMap } from '../support/organizations.ts';
import type { City, CityPage, OrganizationAddress } from '../support/records.ts';
import type { World } from '../support/world.ts';

let world: World;
beforeAll(async () => (world = await startWorldWithMap()));
afterAll(() => world.stop());

const create = (fields: Record<string, unknown> = {}) => world.call<City>(world.global, 'POST /api/cities', { ...newCity(), ...fields });
const get = (code: number | string) => world.call<City>(world.global, `GET /api/cities/${code}`);
const list = (query: string) => world.call<CityPage>(world.global, `GET /api/cities?${query}`);
const collator = new Intl.Collator('pt-BR');
const update = (code: number, body: unknown) => world.call<City>(world.global, `PUT /api/cities/${code}`, body);
const remove = (code: number) => world.call(world.global, `DELETE /api/cities/${code}`);

describe('POST /api/cities', () => {
  // Rules: CITIES-1
  test('creates a city with its IBGE code and returns all fields', async () => {
    const city = newCity();
    const { status, body } = await create(city);
    expect({ status, body }).toEqual({ status: 201, body: city });
    expect((await get(city.ibgeCode)).body).toEqual(city);
  });

  // Rules: CITIES-1, LIMITS-1
  test('accepts each field up to its bound', async () => {
    expect((await create({ siafiId: 'a', name: 'ç'.repeat(255), timeZone: 'America/Noronha' })).status).toBe(201);
    expect((await create({ siafiId: 'abcd' })).status).toBe(201);
  });

  // Rules: CITIES-3
  test('rejects a known ibgeCode or siafiId with CITY_ALREADY_EXISTS, also for several creations at the same time', async () => {
    expect(await create({ ibgeCode: saoPaulo.cityCode })).toMatchObject({ status: 409, code: 'CITY_ALREADY_EXISTS' });
    expect(await create({ siafiId: '7107' })).toMatchObject({ status: 409, code: 'CITY_ALREADY_EXISTS' });
    const city = newCity();
    const answers = await Promise.all([create(city), create(city), create({ siafiId: city.siafiId })]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409]);
  });
});

describe('GET /api/cities', () => {
  const names = async (query: string) => (await list(query)).body.data.map(({ name }) => name);

  // Rules: CITIES-5, LISTS-4
  test('sorts the cities by name in Portuguese order, over all pages', async () => {
    const seen: City[] = [];
    const { totalPages, total } = (await list('stateCode=41&limit=100')).body;
    expect(total).toBe(399);
    for (let page = 1; page <= totalPages; page += 1) seen.push(...(await list(`stateCode=41&limit=100&page=${page}`)).body.data);
    expect(new Set(seen.map(({ ibgeCode }) => ibgeCode)).size).toBe(399);
    expect(seen).toEqual(seen.toSorted((one, other) => collator.compare(one.name, other.name) || one.ibgeCode - other.ibgeCode));
    expect((await list(`stateCode=41&limit=100&page=${totalPages + 1}`)).body).toMatchObject({ data: [], total: 399 });
  });

  // Rules: LISTS-4
  test('sorts cities of the same name by code', async () => {
    const { data } = (await list('name=bom jesus&limit=100')).body;
    const same = data.filter(({ name }) => name === 'Bom Jesus').map(({ ibgeCode }) => ibgeCode);
    expect(same.length).toBeGreaterThan(1);
    expect(same).toEqual(same.toSorted((one, other) => one - other));
  });

  // Rules: CITIES-6
  test.each([
    ['name=sao paulo', ['São Paulo', 'São Paulo das Missões', 'São Paulo de Olivença', 'São Paulo do Potengi']],
    ['name=SÃO PAULO D', ['São Paulo das Missões', 'São Paulo de Olivença', 'São Paulo do Potengi']],
    ['name=paulo&stateCode=35&capital=true', ['São Paulo']],
    ["name=D'ALHO", ["São João do Pau d'Alho"]],
    ['capital=true&stateCode=41', ['Curitiba']],
    ['name=curitib&capital=false', ['Curitibanos']],
    ['stateCode=99', []],
    ['name=%', []],
    ['name=_', []],
    ['name=\\', []],
    [`name=${'x'.repeat(255)}`, []],
  ])('filters by %s', async (query, found) => {
    const encoded = new URLSearchParams(query.replaceAll('%', '%25')).toString();
    expect(await names(`${encoded}&limit=100`)).toEqual(found);
  });

  test('returns the 27 capitals in pages of 20', async () => {
    const { body } = await list('capital=true');
    expect(body).toMatchObject({ total: 27, totalPages: 2, currentPage: 1 });
    expect(body.data).toHaveLength(20);
  });
});

describe('GET /api/cities/{ibgeCode}', () => {
  // Rules: CITIES-7
  test('returns a city of the reference data', async () => {
    const place = { latitude: expect.any(Number), longitude: expect.any(Number), stateCode: 35, timeZone: 'America/Sao_Paulo' };
    const city = { ibgeCode: 3550308, name: 'São Paulo', capital: true, siafiId: '7107', ddd: 11, ...place };
    expect((await get(3550308)).body).toEqual(city);
  });
});

describe('PUT /api/cities/{ibgeCode}', () => {
  // Rules: CITIES-8
  test('changes only the sent fields and never the ibgeCode', async () => {
    const { body: created } = await create();
    const fields = {
      ...newCity(),
      name: 'Cidade Velha',
      capital: true,
      stateCode: 41,
      ddd: 41,
      timeZone: 'America/Bahia',
      latitude: 1,
      longitude: 2,
    };
    const { status, body } = await update(created.ibgeCode, { ...fields, ibgeCode: saoPaulo.cityCode });
    expect({ status, body }).toEqual({ status: 200, body: { ...fields, ibgeCode: created.ibgeCode } });
    expect((await update(created.ibgeCode, { capital: false })).body).toEqual({ ...body, capital: false });
    expect((await get(created.ibgeCode)).body).toEqual({ ...body, capital: false });
  });

  test('moves the addresses in the city to its new state', async () => {
    const { body: city } = await create();
    const place = { ...praca, cityCode: city.ibgeCode, stateCode: city.stateCode };
    const { organizationAddressId } = await organizationOf(world, undefined, { address: place });
    expect((await update(city.ibgeCode, { stateCode: 41 })).status).toBe(200);
    const { body } = await world.call<OrganizationAddress>(world.global, `GET /api/organization-addresses/${organizationAddressId}`);
    expect(body).toMatchObject({ cityCode: city.ibgeCode, stateCode: 41 });
  });

  // Rules: CITIES-4
  test('rejects an unknown stateCode with INVALID_STATE, also for a city with addresses', async () => {
    await organizationOf(world);
    expect(await update(saoPaulo.cityCode, { stateCode: 99 })).toMatchObject({ status: 400, code: 'INVALID_STATE' });
    expect(await update((await create()).body.ibgeCode, { stateCode: 99 })).toMatchObject({ status: 400, code: 'INVALID_STATE' });
  });

  test('rejects the siafiId of another city with CITY_ALREADY_EXISTS', async () => {
    expect(await update(1, { name: 'Nova' })).toMatchObject({ status: 404, code: 'CITY_NOT_FOUND' });
    expect((await update(1, {})).code).toBe('CITY_NOT_FOUND');
    expect(await update(curitiba.cityCode, { siafiId: '7107' })).toMatchObject({ status: 409, code: 'CITY_ALREADY_EXISTS' });
    expect((await update(saoPaulo.cityCode, { siafiId: '7107' })).status).toBe(200);
  });
});

describe('DELETE /api/cities/{ibgeCode}', () => {
  // Rules: CITIES-9, RECORDS-6
  test('deletes the city and frees its ibgeCode and siafiId', async () => {
    const { body: created } = await create();
    expect(await remove(created.ibgeCode)).toMatchObject({ status: 204, body: undefined });
    expect((await get(created.ibgeCode)).code).toBe('CITY_NOT_FOUND');
    expect((await create(created)).status).toBe(201);
  });

  // Rules: CITIES-10, RECORDS-7
  test('rejects the deletion with CITY_IN_USE while an address references the city, also an address of a deleted organization', async () => {
    const { body: city } = await create();
    const address = { ...praca, cityCode: city.ibgeCode };
    const { id } = await organizationOf(world, undefined, { address });
    expect(await remove(city.ibgeCode)).toMatchObject({ status: 409, code: 'CITY_IN_USE' });
    await world.call(world.global, `DELETE /api/organizations/${id}`);
    expect((await remove(city.ibgeCode)).code).toBe('CITY_IN_USE');
  });
});
