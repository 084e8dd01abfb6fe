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
  // Rules: STATES-1
  test('creates a state with its IBGE code and returns all fields', async () => {
    const state = newState();
    const { status, body } = await create(state);
    expect({ status, body }).toEqual({ status: 201, body: state });
    expect((await get(state.stateCode)).body).toEqual(state);
  });

  // Rules: STATES-2
  test('rejects a known stateCode or uf with STATE_ALREADY_EXISTS, also for several creations at the same time', async () => {
    expect(await create({ stateCode: 35 })).toMatchObject({ status: 409, code: 'STATE_ALREADY_EXISTS' });
    expect(await create({ uf: 'SP' })).toMatchObject({ status: 409, code: 'STATE_ALREADY_EXISTS' });
    const state = newState();
    const answers = await Promise.all([create(state), create(state), create({ uf: state.uf })]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409]);
  });
});

describe('GET /api/states', () => {
  // Rules: LISTS-4, STATES-3
  test('sorts the states by name in Portuguese order', async () => {
    const { status, body } = await list('limit=100');
    expect(status).toBe(200);
    const names = body.data.map(({ name }) => name);
    expect(names).toEqual(names.toSorted(new Intl.Collator('pt-BR').compare));
    expect(names.slice(0, 3)).toEqual(['Acre', 'Alagoas', 'Amapá']);
    expect(names.filter((name) => name.startsWith('Par'))).toEqual(['Pará', 'Paraíba', 'Paraná']);
    expect(body.total).toBe(names.length);
  });

  // Rules: STATES-4
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
  // Rules: STATES-5
  test('returns a state of the reference data', async () => {
    const saoPaulo = { stateCode: 35, uf: 'SP', name: 'São Paulo', latitude: -22.19, longitude: -48.79, region: 'Sudeste' };
    expect(await get(35)).toMatchObject({ status: 200, body: saoPaulo });
  });
});

describe('PUT /api/states/{stateCode}', () => {
  // Rules: STATES-6
  test('changes only the sent fields and ignores a stateCode in the body', async () => {
    const { body: created } = await create();
    const fields = { name: 'Novíssima', uf: newState().uf, region: 'Sul' };
    const { status, body } = await update(created.stateCode, { ...fields, stateCode: 35 });
    expect({ status, body }).toEqual({ status: 200, body: { ...created, ...fields } });
    expect((await update(created.stateCode, { latitude: 1, longitude: 2 })).body).toEqual({ ...body, latitude: 1, longitude: 2 });
    expect((await get(created.stateCode)).body).toEqual({ ...body, latitude: 1, longitude: 2 });
    expect((await get(35)).body.uf).toBe('SP');
  });

  test('rejects the uf of another state with STATE_ALREADY_EXISTS', async () => {
    expect(await update(99, { name: 'Nova' })).toMatchObject({ status: 404, code: 'STATE_NOT_FOUND' });
    expect((await update(99, {})).code).toBe('STATE_NOT_FOUND');
    expect(await update(35, { uf: 'PR' })).toMatchObject({ status: 409, code: 'STATE_ALREADY_EXISTS' });
    expect((await update(35, { uf: 'SP' })).status).toBe(200);
  });
});

describe('DELETE /api/states/{stateCode}', () => {
  // Rules: RECORDS-6, STATES-7
  test('deletes the state and frees its stateCode and uf', async () => {
    const { body: created } = await create();
    expect(await remove(created.stateCode)).toMatchObject({ status: 204, body: undefined });
    expect((await get(created.stateCode)).code).toBe('STATE_NOT_FOUND');
    expect((await create(created)).status).toBe(201);
  });

  // Rules: RECORDS-7, STATES-8
  test('rejects the deletion with STATE_IN_USE while a city or an address references the state, also an address of a deleted organization', async () => {
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
