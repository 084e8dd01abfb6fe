import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newState } from '../support/geography.ts';
import { startWorldWithMap } from '../support/organizations.ts';
import type { State, StatePage } from '../support/records.ts';
import type { World } from '../support/world.ts';
import { wrongOfState } from '../support/wrong.ts';

let world: World;
beforeAll(async () => (world = await startWorldWithMap()));
afterAll(() => world.stop());

const create = (fields: Record<string, unknown> = {}) => world.call<State>(world.global, 'POST /api/states', { ...newState(), ...fields });
const get = (code: number | string) => world.call<State>(world.global, `GET /api/states/${code}`);
const list = (query: string) => world.call<StatePage>(world.global, `GET /api/states?${query}`);

describe('POST /api/states', () => {
  test('creates a state under its IBGE code and answers all fields', async () => {
    const state = newState();
    const { status, body } = await create(state);
    expect({ status, body }).toEqual({ status: 201, body: state });
    expect((await get(state.stateCode)).body).toEqual(state);
  });

  test.each<[path: string, value: unknown]>([
    ...Object.keys(newState()).map((field): [string, undefined] => [field, undefined]),
    ['stateCode', '35'],
    ['stateCode', 35.5],
    ['stateCode', 2 ** 31],
    ...wrongOfState,
  ])('refuses a wrong %s: %o', async (path, value) => {
    const { status, body } = await create({ [path]: value });
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: 'VALIDATION_FAILED', errors: [{ path }] });
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

  test('answers pages that neither repeat nor skip', async () => {
    const { body: all } = await list('limit=100');
    const { body: second } = await list('page=2&limit=5');
    expect(second).toEqual({ ...all, data: all.data.slice(5, 10), totalPages: Math.ceil(all.total / 5), currentPage: 2 });
    expect((await list('page=1000&limit=5')).body).toEqual({ ...second, data: [], currentPage: 1000 });
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

  test.each(['page=0', 'limit=101', 'name=%00', 'uf=%00', 'region=%00'])('refuses %s', async (query) => {
    expect((await list(query)).body).toMatchObject({ code: 'VALIDATION_FAILED', errors: [{ path: query.split('=')[0] }] });
  });
});
