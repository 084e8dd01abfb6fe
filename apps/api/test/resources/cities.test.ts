import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newCity } from '../support/geography.ts';
import { saoPaulo, startWorldWithMap } from '../support/organizations.ts';
import type { City, CityPage } from '../support/records.ts';
import type { World } from '../support/world.ts';
import { wrongOfCity } from '../support/wrong.ts';

let world: World;
beforeAll(async () => (world = await startWorldWithMap()));
afterAll(() => world.stop());

const create = (fields: Record<string, unknown> = {}) => world.call<City>(world.global, 'POST /api/cities', { ...newCity(), ...fields });
const get = (code: number | string) => world.call<City>(world.global, `GET /api/cities/${code}`);
const list = (query: string) => world.call<CityPage>(world.global, `GET /api/cities?${query}`);
const collator = new Intl.Collator('pt-BR');

describe('POST /api/cities', () => {
  test('creates a city under its IBGE code and answers all fields', async () => {
    const city = newCity();
    const { status, body } = await create(city);
    expect({ status, body }).toEqual({ status: 201, body: city });
    expect((await get(city.ibgeCode)).body).toEqual(city);
  });

  test.each<[path: string, value: unknown]>([
    ...Object.keys(newCity()).map((field): [string, undefined] => [field, undefined]),
    ['ibgeCode', '3550308'],
    ['ibgeCode', 0.5],
    ['ibgeCode', 2 ** 31],
    ...wrongOfCity,
  ])('refuses a wrong %s: %o', async (path, value) => {
    const { status, body } = await create({ [path]: value });
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: 'VALIDATION_FAILED', errors: [{ path }] });
  });

  test('takes each field up to its bound', async () => {
    expect((await create({ siafiId: 'a', name: 'ç'.repeat(255), timeZone: 'America/Noronha' })).status).toBe(201);
    expect((await create({ siafiId: 'abcd' })).status).toBe(201);
  });

  test('400 INVALID_STATE for an unknown stateCode', async () => {
    expect(await create({ stateCode: 99 })).toMatchObject({ status: 400, code: 'INVALID_STATE' });
  });

  test('409 CITY_ALREADY_EXISTS for a known ibgeCode or siafiId, also when several come at once', async () => {
    expect(await create({ ibgeCode: saoPaulo.cityCode })).toMatchObject({ status: 409, code: 'CITY_ALREADY_EXISTS' });
    expect(await create({ siafiId: '7107' })).toMatchObject({ status: 409, code: 'CITY_ALREADY_EXISTS' });
    const city = newCity();
    const answers = await Promise.all([create(city), create(city), create({ siafiId: city.siafiId })]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409]);
  });
});

describe('GET /api/cities', () => {
  const names = async (query: string) => (await list(query)).body.data.map(({ name }) => name);

  test('lists them by name as Portuguese sorts them, in pages that neither repeat nor skip', async () => {
    const seen: City[] = [];
    const { totalPages, total } = (await list('stateCode=41&limit=100')).body;
    expect(total).toBe(399);
    for (let page = 1; page <= totalPages; page += 1) seen.push(...(await list(`stateCode=41&limit=100&page=${page}`)).body.data);
    expect(new Set(seen.map(({ ibgeCode }) => ibgeCode)).size).toBe(399);
    expect(seen).toEqual(seen.toSorted((one, other) => collator.compare(one.name, other.name) || one.ibgeCode - other.ibgeCode));
    expect((await list(`stateCode=41&limit=100&page=${totalPages + 1}`)).body).toMatchObject({ data: [], total: 399 });
  });

  test('of one name the codes break the tie', async () => {
    const { data } = (await list('name=bom jesus&limit=100')).body;
    const same = data.filter(({ name }) => name === 'Bom Jesus').map(({ ibgeCode }) => ibgeCode);
    expect(same.length).toBeGreaterThan(1);
    expect(same).toEqual(same.toSorted((one, other) => one - other));
  });

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

  test('there are 27 capitals, and 20 to a page unless told', async () => {
    const { body } = await list('capital=true');
    expect(body).toMatchObject({ total: 27, totalPages: 2, currentPage: 1 });
    expect(body.data).toHaveLength(20);
  });

  test.each(['page=0', 'limit=101', 'stateCode=SP', 'capital=1', 'name=%00'])('refuses %s', async (query) => {
    expect((await list(query)).body).toMatchObject({ code: 'VALIDATION_FAILED', errors: [{ path: query.split('=')[0] }] });
  });
});
