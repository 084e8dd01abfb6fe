import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase } from '../../../test/database.ts';
import {
  connect,
  contains,
  type Database,
  type UnscopedDatabase,
  newId,
  pageStatement,
  patchStatement,
  type Placeholders,
  statement,
  unscoped,
} from '../src/index.ts';
import { records } from './records.ts';

let database: Database;
let db: UnscopedDatabase;
let make: ReturnType<typeof records>;

beforeAll(async () => {
  database = connect({ connectionString: await createTestDatabase() });
  db = unscoped(database.executor);
  make = records(database.db);
});
afterAll(() => database.close());

const usersContaining = statement((tables, p: Placeholders<{ text: string }>) =>
  tables.selectFrom('users').select('name').where(contains('users.searchName', p.text)).orderBy('id'),
);
const emailsContaining = statement((tables, p: Placeholders<{ text: string }>) =>
  tables.selectFrom('users').select('email').where(contains('users.email', p.text)),
);

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
  ])('finds names that contain %j', async (text, expected) => {
    const found = await db.all(usersContaining, { text });
    expect(found.map(({ name }) => name)).toEqual(expected);
  });

  test('finds e-mail addresses, ignoring case', async () => {
    await make.user({ email: 'rosa.lima@coop.example' });
    const found = await db.all(emailsContaining, { text: 'LIMA@Coop' });
    expect(found).toEqual([{ email: 'rosa.lima@coop.example' }]);
  });
});

const appsLike = pageStatement(
  (tables, p: Placeholders<{ pattern: string }>) => tables.selectFrom('apps').select('name').where('name', 'like', p.pattern),
  (query) => query.orderBy('id', 'desc'),
);
const statesByName = pageStatement(
  (tables) => tables.selectFrom('states').select('name'),
  (query) => query.orderBy('name').orderBy('stateCode'),
);

describe('a page', () => {
  const all = ['Paged 5', 'Paged 4', 'Paged 3', 'Paged 2', 'Paged 1'];
  beforeAll(async () => {
    for (const name of all.toReversed()) await make.app({ name });
  });

  test.each<[string, number, number, string[], number, number]>([
    ['Paged', 1, 2, ['Paged 5', 'Paged 4'], 5, 3],
    ['Paged', 2, 2, ['Paged 3', 'Paged 2'], 5, 3],
    ['Paged', 3, 2, ['Paged 1'], 5, 3],
    ['Paged', 4, 2, [], 5, 3],
    ['Paged', 1, 5, all, 5, 1],
    ['Paged', 2, 5, [], 5, 1],
    ['Paged', 1, 100, all, 5, 1],
    ['Paged', Number.MAX_SAFE_INTEGER, 100, [], 5, 1],
    ['Absent', 1, 20, [], 0, 0],
    ['Absent', 3, 20, [], 0, 0],
  ])('of the list "%s": page %i with %i rows per page', async (name, currentPage, limit, names, total, totalPages) => {
    const page = await db.page(appsLike, { page: currentPage, limit, pattern: `${name}%` });
    expect(page).toEqual({ data: names.map((each) => ({ name: each })), total, totalPages, currentPage });
  });

  test('orders states by name in Portuguese', async () => {
    const names = ['abaeté', 'Abc', 'Água Branca', 'Sao', 'São', 'Zebra'];
    const place = { latitude: 0, longitude: 0, region: 'Sul' };
    const values = names.toReversed().map((name, index) => ({ ...place, name, stateCode: index, uf: `${index}` }));
    await database.db.insertInto('states').values(values).execute();
    const { data } = await db.page(statesByName, { page: 1, limit: 20 });
    expect(data.map(({ name }) => name)).toEqual(names);
  });
});

const patchUser = patchStatement('users', 'id', ['name', 'email', 'jobTitle']);
const patchApp = patchStatement('apps', 'id', ['name']);

describe('patch', () => {
  test('changes only the given columns and returns the whole row', async () => {
    const id = await make.user({ name: 'Before', jobTitle: 'Agronomist', updatedAt: '2026-01-01' });
    const before = await db.patch(patchUser, { id });
    const after = await db.patch(patchUser, { id, name: 'After', email: undefined });
    expect(after).toEqual({ ...before, name: 'After', searchName: 'after', updatedAt: expect.any(String), version: expect.any(Number) });
    expect(after?.version).toBeGreaterThan(before?.version ?? Infinity);
    expect(Date.parse(after?.updatedAt ?? '')).toBeGreaterThan(Date.parse(before?.updatedAt ?? ''));
    expect(await db.patch(patchUser, { id, jobTitle: null })).toMatchObject({ name: 'After', jobTitle: null });
  });

  test('to equal values changes neither updatedAt nor the version', async () => {
    const id = await make.user({ name: 'Same', updatedAt: '2026-01-01' });
    const before = await db.patch(patchUser, { id });
    expect(await db.patch(patchUser, { id, name: 'Same', jobTitle: null })).toEqual(before);
  });

  test('without columns reads the row and does not change its updatedAt', async () => {
    const updatedAt = '2026-01-01T00:00:00.000Z';
    const id = await make.user({ updatedAt });
    expect(await db.patch(patchUser, { id })).toMatchObject({ id, updatedAt });
    expect(await db.patch(patchUser, { id, name: undefined })).toMatchObject({ id, updatedAt });
  });

  test('works for a table without updatedAt, and returns undefined for an unknown key', async () => {
    const id = await make.app();
    expect(await db.patch(patchApp, { id, name: 'Renamed' })).toEqual({ id, name: 'Renamed', version: expect.any(Number) });
    expect(await db.patch(patchApp, { id: newId(), name: 'Ghost' })).toBeUndefined();
    expect(await db.patch(patchApp, { id: newId() })).toBeUndefined();
  });

  test('does not compile with a field that is none of its columns', async () => {
    const input = { id: await make.app(), name: 'Known', alias: 'Unknown' };
    // @ts-expect-error the update would drop the alias
    expect(await db.patch(patchApp, input)).toMatchObject({ name: 'Known' });
  });
});
