import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase } from '../../../test/database.ts';
import {
  columns,
  connect,
  type Database,
  fieldsOf,
  type UnscopedDatabase,
  ifGiven,
  whenGiven,
  newId,
  pageStatement,
  type Placeholders,
  statement,
  unscoped,
} from '../src/index.ts';

let database: Database;
let db: UnscopedDatabase;

beforeAll(async () => {
  database = connect({ connectionString: await createTestDatabase(), max: 1 });
  db = unscoped(database.executor);
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
  (tables, p: Placeholders<{ name?: string; alias?: string }>) => {
    const query = tables
      .selectFrom('customers')
      .select('name')
      .where((eb) => ifGiven(p.alias, (alias) => eb('alias', '=', alias)));
    return whenGiven(p.name, query, (filtered, name) => filtered.where('name', '=', name));
  },
  (query) => query.orderBy('id'),
);

let serial = 0;
const make = (given: Partial<Customer> = {}) =>
  db.one(insertCustomer, { id: newId(), federalTaxId: String(++serial).padStart(11, '0'), name: 'Central', active: true, ...given });
/** Returns the texts that the only connection has prepared since the last call. */
const seen = new Set<string>();
async function newTexts(): Promise<string[]> {
  const { rows } = await database.pool.query<{ statement: string }>('select statement from pg_prepared_statements order by prepare_time');
  const texts = rows.map((row) => row.statement).filter((text) => !seen.has(text) && !text.includes('plan_cache_mode'));
  for (const text of texts) seen.add(text);
  return texts;
}

test('a list has one text for each set of variants and one to count, whatever its other filters', async () => {
  await make({ name: 'Twin', alias: 'x' });
  await make({ name: 'Twin', alias: 'y' });
  await newTexts();
  const total = async (filters: { name?: string; alias?: string }, limit = 100) =>
    (await db.page(listCustomers, { page: 1, limit, ...filters })).total;
  expect(await total({})).toBe(2);
  expect([await total({ alias: 'x' }), await total({ alias: 'absent' })]).toEqual([1, 0]);
  expect(await newTexts()).toHaveLength(1);
  expect([await total({ name: 'Twin' }), await total({ name: 'Twin', alias: 'y' })]).toEqual([2, 1]);
  expect(await newTexts()).toHaveLength(1);
  expect([await total({ name: 'Twin' }, 1), await total({ name: 'Twin', alias: 'absent' }, 1)]).toEqual([2, 0]);
  expect(await newTexts()).toEqual([expect.stringMatching(/^select count\(\*\) as "total" from "customers"/)]);
});

describe('a statement', () => {
  test('fills in the values of each input; an absent field is null', async () => {
    const [one, two] = [await make({ name: 'One', alias: 'first' }), await make({ name: 'Two' })];
    expect(one).toMatchObject({ name: 'One', alias: 'first', active: true, logoPath: null });
    expect(two).toMatchObject({ name: 'Two', alias: null });
    expect(await db.first(getCustomer, one)).toEqual(one);
    expect(await db.all(getCustomer, { id: two.id })).toEqual([two]);
  });

  test('throws the error for an absent row, or returns undefined', async () => {
    const nobody = { id: newId() };
    expect(await db.first(getCustomer, nobody)).toBeUndefined();
    await expect(db.first(getCustomer, nobody, () => new RangeError('nobody'))).rejects.toThrow(RangeError);
    await expect(db.one(getCustomer, nobody)).rejects.toThrow('no row');
  });

  test('runs in a transaction and reads its writes', async () => {
    const id = newId();
    const rolledBack = database.transaction(async (executor) => {
      const inside = unscoped(executor);
      await inside.run(insertCustomer, { id, federalTaxId: '99999999999', name: 'Inside', active: false });
      expect(await inside.first(getCustomer, { id })).toMatchObject({ name: 'Inside' });
      expect(await inside.page(listCustomers, { page: 1, limit: 1, name: 'Inside' })).toMatchObject({ total: 1 });
      throw new Error('roll back');
    });
    await expect(rolledBack).rejects.toThrow('roll back');
    expect(await db.first(getCustomer, { id })).toBeUndefined();
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

  test('does not compile as an insert without one of the fields', () => {
    const incomplete = () =>
      statement((tables, p: Placeholders<Customer>) => {
        const query = tables.insertInto('customers');
        // @ts-expect-error the insert would drop the alias
        return query.values(columns(p, 'id', 'federalTaxId', 'name', 'active'));
      });
    expect(incomplete).not.toThrow();
  });

  test('accepts only placeholders as filters', () => {
    const filter = () => ifGiven('a value' as never, () => ({}) as never);
    expect(filter).toThrow('Expected a placeholder');
  });
});
