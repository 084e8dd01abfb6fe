import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase } from '../../../test/database.ts';
import {
  columns,
  connect,
  type Database,
  fieldsOf,
  type HandlerDatabase,
  ifGiven,
  newId,
  pageStatement,
  type Placeholders,
  statement,
  withoutScopedTables,
} from '../src/index.ts';

let database: Database;
let db: HandlerDatabase;
const unprepared: string[] = [];

beforeAll(async () => {
  database = connect({ connectionString: await createTestDatabase(), max: 1, onUnprepared: (text) => unprepared.push(text) });
  db = withoutScopedTables(database.db);
});
afterAll(() => database.close());

interface Customer {
  id: string;
  federalTaxId: string;
  name: string;
  alias?: string | null | undefined;
  active: boolean;
}

const insertCustomer = statement((tables, p: Placeholders<Customer>) =>
  tables
    .insertInto('customers')
    .values(columns(p, 'id', 'federalTaxId', 'name', 'alias', 'active'))
    .returningAll(),
);
const getCustomer = statement((tables, p: Placeholders<{ id: string }>) =>
  tables.selectFrom('customers').selectAll().where('id', '=', p.id),
);
const listCustomers = pageStatement(
  (tables, p: Placeholders<{ name?: string; alias?: string }, 'name'>) => {
    const query = tables
      .selectFrom('customers')
      .select('name')
      .where((eb) => ifGiven(p.alias, (alias) => eb('alias', '=', alias)));
    return p.name === undefined ? query : query.where('name', '=', p.name);
  },
  (query) => query.orderBy('id'),
  ['name'],
);

let serial = 0;
const make = (given: Partial<Customer> = {}) =>
  db.one(insertCustomer, { id: newId(), federalTaxId: String(++serial).padStart(11, '0'), name: 'Central', active: true, ...given });
/** The texts that the one connection has prepared since the last call. */
const seen = new Set<string>();
async function newTexts(): Promise<string[]> {
  const { rows } = await database.pool.query<{ statement: string }>('select statement from pg_prepared_statements order by prepare_time');
  const texts = rows.map((row) => row.statement).filter((text) => !seen.has(text));
  for (const text of texts) seen.add(text);
  return texts;
}

describe('a statement', () => {
  test('fills in the values of each input; an absent field is null', async () => {
    const [one, two] = [await make({ name: 'One', alias: 'first' }), await make({ name: 'Two' })];
    expect(one).toMatchObject({ name: 'One', alias: 'first', active: true, logoPath: null });
    expect(two).toMatchObject({ name: 'Two', alias: null });
    expect(await db.first(getCustomer, one)).toEqual(one);
    expect(await db.all(getCustomer, { id: two.id })).toEqual([two]);
  });

  test('has one text whatever its input', async () => {
    await newTexts();
    const insertApp = statement((tables, p: Placeholders<{ id: string; name: string }>) =>
      tables
        .insertInto('apps')
        .values(columns(p, 'name', 'id'))
        .returning('id'),
    );
    for (const name of ['a', 'b', 'c']) await db.run(insertApp, { id: newId(), name });
    expect(await newTexts()).toEqual(['insert into "apps" ("name", "id") values ($1, $2) returning "id"']);
  });

  test('throws the error of an absent row, or returns undefined', async () => {
    const nobody = { id: newId() };
    expect(await db.first(getCustomer, nobody)).toBeUndefined();
    await expect(db.first(getCustomer, nobody, () => new RangeError('nobody'))).rejects.toThrow(RangeError);
    await expect(db.one(getCustomer, nobody)).rejects.toThrow('no row');
  });

  test('runs in a transaction, and sees what that wrote', async () => {
    const rolledBack = database.db.transaction().execute(async (trx) => {
      const inside = withoutScopedTables(trx);
      const { id } = await inside.one(insertCustomer, { id: newId(), federalTaxId: '99999999999', name: 'Inside', active: false });
      expect(await inside.first(getCustomer, { id })).toMatchObject({ name: 'Inside' });
      throw new Error(id);
    });
    const id = await rolledBack.catch((error: Error) => error.message);
    expect(await db.first(getCustomer, { id })).toBeUndefined();
  });

  test('passes on the error of the database', async () => {
    const { federalTaxId } = await make();
    const error: unknown = await make({ federalTaxId }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(pg.DatabaseError);
    expect(error).toMatchObject({ code: '23505', constraint: 'customers_federal_tax_id_key' });
  });

  test('reads the fields of a nested input', async () => {
    const nested = statement((tables, p: Placeholders<{ customer: Customer }>) =>
      tables
        .insertInto('customers')
        .values(columns(fieldsOf(p.customer), 'id', 'federalTaxId', 'name', 'alias', 'active'))
        .returning(['name', 'federalTaxId']),
    );
    const customer = { id: newId(), federalTaxId: '88888888888', name: 'Nested', active: true };
    expect(await db.one(nested, { customer })).toEqual({ name: 'Nested', federalTaxId: '88888888888' });
  });

  test('of an insert does not compile without one of the fields', () => {
    const incomplete = () =>
      statement((tables, p: Placeholders<Customer>) => {
        const query = tables.insertInto('customers');
        // @ts-expect-error the insert would drop the alias
        return query.values(columns(p, 'id', 'federalTaxId', 'name', 'active'));
      });
    expect(incomplete).not.toThrow();
  });

  test('takes a filter for a placeholder alone', () => {
    const folded = () => ifGiven('a value', () => ifGiven(null, () => ({}) as never));
    expect(folded).toThrow('Expected a placeholder');
  });
});

describe('a list', () => {
  test('has a text per set of variants; a folded filter makes none', async () => {
    await make({ name: 'Twin', alias: 'x' });
    await make({ name: 'Twin', alias: 'y' });
    await newTexts();
    const read = async (filters: { name?: string; alias?: string }) =>
      (await db.page(listCustomers, { page: 1, limit: 100, ...filters })).total;
    const everybody = await read({});
    expect([await read({ alias: 'x' }), await read({ alias: 'absent' })]).toEqual([1, 0]);
    expect(await newTexts()).toHaveLength(1);
    expect([await read({ name: 'Twin' }), await read({ name: 'Twin', alias: 'y' })]).toEqual([2, 1]);
    expect(await newTexts()).toHaveLength(1);
    expect(everybody).toBeGreaterThan(2);
  });

  test('counts in a second text, with the same filters', async () => {
    await newTexts();
    expect(await db.page(listCustomers, { page: 1, limit: 1, name: 'Twin' })).toMatchObject({ total: 2, totalPages: 2 });
    expect(await db.page(listCustomers, { page: 1, limit: 1, name: 'Twin', alias: 'absent' })).toMatchObject({ total: 0, totalPages: 0 });
    expect(await newTexts()).toEqual([expect.stringMatching(/^select count\(\*\) as "total" from "customers"/)]);
  });
});

test('every statement of this file was prepared', () => expect(unprepared).toEqual([]));
