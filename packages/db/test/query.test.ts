import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase } from '../../../test/database.ts';
import { connect, contains, type Database, newId, pageOf, patch } from '../src/index.ts';
import { records } from './records.ts';

let database: Database;
let make: ReturnType<typeof records>;

beforeAll(async () => {
  database = connect({ connectionString: await createTestDatabase() });
  make = records(database.db);
});
afterAll(() => database.close());

describe('contains', () => {
  const people = ['José Antônio', 'JOSE DA CONCEIÇÃO', 'Ana 100% Souza', 'Ana_Maria', 'Ana\\Maria', 'Zoë Müller', 'Ｍａｒｉａ Ⅳ'];
  beforeAll(async () => {
    for (const name of people) await make.user({ name });
  });

  // Rules: LISTS-6
  test.each<[string, string[]]>([
    ['jose', ['José Antônio', 'JOSE DA CONCEIÇÃO']],
    ['JOSÉ', ['José Antônio', 'JOSE DA CONCEIÇÃO']],
    ['conceicao', ['JOSE DA CONCEIÇÃO']],
    ['CONCEIC\u0327A\u0303O', ['JOSE DA CONCEIÇÃO']],
    ['0%', ['Ana 100% Souza']],
    ['100％', ['Ana 100% Souza']],
    ['%', ['Ana 100% Souza']],
    ['a_m', ['Ana_Maria']],
    ['\\', ['Ana\\Maria']],
    ['a\\m', ['Ana\\Maria']],
    ['zoe mu', ['Zoë Müller']],
    ['maria iv', ['Ｍａｒｉａ Ⅳ']],
    ["'; drop table users; --", []],
    ['', people],
  ])('%j', async (text, expected) => {
    const found = await database.db.selectFrom('users').select('name').where(contains('users.searchName', text)).orderBy('id').execute();
    expect(found.map(({ name }) => name)).toEqual(expected);
  });

  test('an e-mail, whatever the case of the text', async () => {
    await make.user({ email: 'rosa.lima@coop.example' });
    const found = await database.db.selectFrom('users').select('email').where(contains('users.email', 'LIMA@Coop')).execute();
    expect(found).toEqual([{ email: 'rosa.lima@coop.example' }]);
  });
});

describe('pageOf', () => {
  const read = (page: number, limit: number, name = 'Paged') =>
    pageOf(database.db.selectFrom('apps').select('name').where('name', 'like', `${name}%`), { page, limit }, (query) =>
      query.orderBy('id', 'desc'),
    );
  const all = ['Paged 5', 'Paged 4', 'Paged 3', 'Paged 2', 'Paged 1'];
  beforeAll(async () => {
    for (const name of all.toReversed()) await make.app({ name });
  });

  test.each<[number, number, string[], number]>([
    [1, 2, ['Paged 5', 'Paged 4'], 3],
    [2, 2, ['Paged 3', 'Paged 2'], 3],
    [3, 2, ['Paged 1'], 3],
    [4, 2, [], 3],
    [1, 5, all, 1],
    [2, 5, [], 1],
    [1, 100, all, 1],
    [Number.MAX_SAFE_INTEGER, 100, [], 1],
  ])('page %i of %i each', async (currentPage, limit, names, totalPages) => {
    const data = names.map((name) => ({ name }));
    expect(await read(currentPage, limit)).toEqual({ data, total: 5, totalPages, currentPage });
  });

  test('of nothing', async () => {
    expect(await read(1, 20, 'Absent')).toEqual({ data: [], total: 0, totalPages: 0, currentPage: 1 });
    expect(await read(3, 20, 'Absent')).toEqual({ data: [], total: 0, totalPages: 0, currentPage: 3 });
  });

  test('inside a transaction sees what that has written', async () => {
    const total = await database.db.transaction().execute(async (trx) => {
      await trx.insertInto('apps').values({ id: newId(), name: 'Paged, uncommitted' }).execute();
      const query = trx.selectFrom('apps').selectAll().where('name', 'like', 'Paged%');
      const first = await pageOf(query, { page: 1, limit: 2 }, (sorted) => sorted.orderBy('id', 'desc'));
      await trx.deleteFrom('apps').where('name', '=', 'Paged, uncommitted').execute();
      return first.total;
    });
    expect(total).toBe(6);
  });

  test('orders states and cities as Portuguese does', async () => {
    const names = ['abaeté', 'Abc', 'Água Branca', 'Sao', 'São', 'Zebra'];
    const place = { latitude: 0, longitude: 0, region: 'Sul' };
    const values = names.toReversed().map((name, index) => ({ ...place, name, stateCode: index, uf: `${index}` }));
    await database.db.insertInto('states').values(values).execute();
    const { data } = await pageOf(database.db.selectFrom('states').select('name'), { page: 1, limit: 20 }, (query) =>
      query.orderBy('name').orderBy('stateCode'),
    );
    expect(data.map(({ name }) => name)).toEqual(names);
  });
});

describe('patch', () => {
  test('changes the given columns alone and answers the whole row', async () => {
    const id = await make.user({ name: 'Before', jobTitle: 'Agronomist', updatedAt: '2026-01-01' });
    const before = await patch(database.db, 'users', { id }, {});
    const after = await patch(database.db, 'users', { id }, { name: 'After', email: undefined });
    expect(after).toEqual({ ...before, name: 'After', searchName: 'after', updatedAt: expect.any(String) });
    expect(Date.parse(after?.updatedAt ?? '')).toBeGreaterThan(Date.parse(before?.updatedAt ?? ''));
    expect(await patch(database.db, 'users', { id }, { jobTitle: null })).toMatchObject({ jobTitle: null });
  });

  test('of nothing reads the row and leaves its updatedAt', async () => {
    const id = await make.user();
    const { updatedAt } = await database.db.selectFrom('users').select('updatedAt').where('id', '=', id).executeTakeFirstOrThrow();
    expect(await patch(database.db, 'users', { id }, {})).toMatchObject({ id, updatedAt });
    expect(await patch(database.db, 'users', { id }, { name: undefined })).toMatchObject({ id, updatedAt });
  });

  test('takes a table without updatedAt', async () => {
    const id = await make.app();
    expect(await patch(database.db, 'apps', { id }, { name: 'Renamed' })).toEqual({ id, name: 'Renamed' });
  });

  test('finds no row by a key that does not hold', async () => {
    const id = await make.user({ deletedAt: '2026-01-01' });
    expect(await patch(database.db, 'users', { id, deletedAt: null }, { name: 'Ghost' })).toBeUndefined();
    expect(await patch(database.db, 'users', { id, deletedAt: null }, {})).toBeUndefined();
    expect(await patch(database.db, 'users', { id }, {})).toMatchObject({ name: 'Ana' });
  });
});
