import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newState } from '../support/geography.ts';
import { organizationOf, startWorldWithMap } from '../support/organizations.ts';
import type { State, StatePage } from '../support/records.ts';
import type { World } from '../support/world.ts';

let world: World;
beforeAll(async () => (world = await startWorldWithMap()));
afterAll(() => world.stop());

const create = (fields: Record<string, unknown> = {}) => world.call<State>(world.global, 'POST /api/states', { ...newState(), ...fields });
const get = (code: number | string) => world.call<State>(world.global, `GET /api/states/${code}`);
const list = (query: string) => world.call<StatePage>(world.global, `GET /api/states?${query}`);
const update = (code: number, body: unknown) => world.call<State>(world.global, `PUT /api/states/${code}`, body);
const remove = (code: number) => world.call(world.global, `DELETE /api/states/${code}`);

describe('POST /api/states', () => {
  test('creates a state under its IBGE code and answers all fields', async () => {
    const state = newState();
    const { status, body } = await create(state);
    expect({ status, body }).toEqual({ status: 201, body: state });
    expect((await get(state.stateCode)).body).toEqual(state);
  });

  test('409 STATE_ALREADY_EXISTS for a known stateCode or uf, also when several come at once', async () => {
    expect(await create({ stateCode: 35 })).toMatchObject({ status: 409, code: 'STATE_ALREADY_EXISTS' });
    expect(await create({ uf: 'SP' })).toMatchObject({ status: 409, code: 'STATE_ALREADY_EXISTS' });
    const state = newState();
    const answers = await Promise.all([create(state), create(state), create({ uf: state.uf })]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409]);
  });
});

describe('GET /api/states', () => {
  test('lists them by name as Portuguese sorts them', async () => {
    const { status, body } = await list('limit=100');
    expect(status).toBe(200);
    const names = body.data.map(({ name }) => name);
    expect(names).toEqual(names.toSorted(new Intl.Collator('pt-BR').compare));
    expect(names.slice(0, 3)).toEqual(['Acre', 'Alagoas', 'Amapá']);
    expect(names.filter((name) => name.startsWith('Par'))).toEqual(['Pará', 'Paraíba', 'Paraná']);
    expect(body.total).toBe(names.length);
  });

  test.each([
    ['name=sao', ['São Paulo']],
    ['name=PAR%C3%81', ['Pará', 'Paraíba', 'Paraná']],
    ['name=para', ['Pará', 'Paraíba', 'Paraná']],
    ['name=%25', []],
    ['name=_', []],
    ['uf=SP', ['São Paulo']],
    ['uf=sp', ['São Paulo']],
    ['uf=S', []],
    ['region=Sul', ['Paraná', 'Rio Grande do Sul', 'Santa Catarina']],
    ['region=sul&name=grande', ['Rio Grande do Sul']],
    ['uf=SP&region=Sul', []],
    ["uf=' or true --", []],
  ])('filters by %s', async (query, names) => {
    expect((await list(query)).body.data.map(({ name }) => name)).toEqual(names);
  });
});

describe('GET /api/states/{stateCode}', () => {
  test('gives a state of the map', async () => {
    const saoPaulo = { stateCode: 35, uf: 'SP', name: 'São Paulo', latitude: -22.19, longitude: -48.79, region: 'Sudeste' };
    expect(await get(35)).toMatchObject({ status: 200, body: saoPaulo });
  });
});

describe('PUT /api/states/{stateCode}', () => {
  test('changes what is sent and nothing else; the stateCode of the body counts for nothing', async () => {
    const { body: created } = await create();
    const fields = { name: 'Novíssima', uf: newState().uf, region: 'Sul' };
    const { status, body } = await update(created.stateCode, { ...fields, stateCode: 35 });
    expect({ status, body }).toEqual({ status: 200, body: { ...created, ...fields } });
    expect((await update(created.stateCode, { latitude: 1, longitude: 2 })).body).toEqual({ ...body, latitude: 1, longitude: 2 });
    expect((await get(created.stateCode)).body).toEqual({ ...body, latitude: 1, longitude: 2 });
    expect((await get(35)).body.uf).toBe('SP');
  });

  test('404 STATE_NOT_FOUND; 409 STATE_ALREADY_EXISTS for another’s uf', async () => {
    expect(await update(99, { name: 'Nova' })).toMatchObject({ status: 404, code: 'STATE_NOT_FOUND' });
    expect((await update(99, {})).code).toBe('STATE_NOT_FOUND');
    expect(await update(35, { uf: 'PR' })).toMatchObject({ status: 409, code: 'STATE_ALREADY_EXISTS' });
    expect((await update(35, { uf: 'SP' })).status).toBe(200);
  });
});

describe('DELETE /api/states/{stateCode}', () => {
  test('removes it, and stateCode and uf are free again', async () => {
    const { body: created } = await create();
    expect(await remove(created.stateCode)).toMatchObject({ status: 204, body: undefined });
    expect((await get(created.stateCode)).code).toBe('STATE_NOT_FOUND');
    expect((await create(created)).status).toBe(201);
  });

  test('409 STATE_IN_USE while a city points at it, and while an address does, of a deleted organization too', async () => {
    expect(await remove(35)).toMatchObject({ status: 409, code: 'STATE_IN_USE' });
    const { body: state } = await create();
    const city = {
      ibgeCode: 9_000_001,
      name: 'Nova',
      latitude: 0,
      longitude: 0,
      capital: false,
      siafiId: 'N1',
      ddd: 11,
      timeZone: 'America/Bahia',
    };
    await world.create('POST /api/cities', { ...city, stateCode: state.stateCode });
    expect((await remove(state.stateCode)).code).toBe('STATE_IN_USE');
    const place = { zipCode: '01001000', street: 'x', number: '1', cityCode: city.ibgeCode, stateCode: state.stateCode };
    const { id } = await organizationOf(world, undefined, { address: place });
    await world.call(world.global, `DELETE /api/organizations/${id}`);
    expect((await remove(state.stateCode)).code).toBe('STATE_IN_USE');
  });
});
