import { Kysely, PostgresDialect } from 'kysely';
import { type MigrationResultSet, Migrator } from 'kysely/migration';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createEmptyDatabase } from '../../../test/database.ts';
import { migrate, newId } from '../src/index.ts';
import { countInvalidFederalTaxIds } from '../src/migrations/invalid-federal-tax-ids.ts';
import { installJobQueue } from '../src/jobs/install.ts';
import { migrations } from '../src/migrations/index.ts';

/** Tax ids before the migration and after it, in order of creation. */
const cases: [before: string, after: string][] = [
  ['12ABC34501DE98', '12ABC34501DE98'],
  ['12abc34501de98', '12abc34501de98'],
  ['aaaaaaaaaaa', 'AAAAAAAAAAA'],
  ['Aaaaaaaaaaa', 'Aaaaaaaaaaa'],
  [' 400000209533 ', '400000209533'],
  ['123.456-78901', '12345678901'],
  ['34567890000130', '34567890000130'],
  ['no tax id!', 'no tax id!'],
  ['ßßßßßßßßßßßß', 'ßßßßßßßßßßßß'],
  ['１２３４５６７８９０１', '１２３４５６７８９０１'],
];
const tables = ['organizations', 'customers'];

let url: string;
let pool: pg.Pool;
let old: MigrationResultSet;
beforeAll(async () => {
  url = await createEmptyDatabase();
  pool = new pg.Pool({ connectionString: url, max: 3 });
  await installJobQueue(pool);
  const db = new Kysely({ dialect: new PostgresDialect({ pool }) });
  old = await new Migrator({ db, provider: { getMigrations: async () => migrations } }).migrateTo('0020-related-organizations');
});
afterAll(() => pool.end());

const sql = async (text: string, values: unknown[] = []) => (await pool.query<Record<string, unknown>>(text, values)).rows;

test('the migration corrects tax ids and the texts of searches, and loses nothing', async () => {
  expect(old.error).toBeUndefined();
  for (const table of tables) {
    for (const [taxId] of cases)
      await sql(`insert into ${table} (id, name, federal_tax_id) values ($1, 'Café  d’Ávila', $2)`, [newId(), taxId]);
  }
  const deleted = newId();
  await sql(`insert into organizations (id, name, federal_tax_id, deleted_at) values ($1, 'Deleted', 'aaaaaaaaaaa', now())`, [deleted]);

  await migrate(url);

  for (const table of tables) {
    const rows = await sql(`select federal_tax_id from ${table} where name <> 'Deleted' order by id`);
    expect(rows.map((row) => row['federal_tax_id'])).toEqual(cases.map(([, after]) => after));
  }
  expect(await sql('select federal_tax_id from organizations where id = $1', [deleted])).toEqual([{ federal_tax_id: 'AAAAAAAAAAA' }]);
  expect(await sql('select distinct search_name from organizations where deleted_at is null')).toEqual([{ search_name: "cafe d'avila" }]);
});

describe('after the migration', () => {
  test('the view lists the records without a valid tax id, and the record that has it', async () => {
    const invalid = await sql(
      `select invalid.federal_tax_id as kept, organizations.federal_tax_id as used from invalid_federal_tax_ids invalid
       left join organizations on organizations.id = duplicate_of where type = 'organization' order by invalid.id`,
    );
    expect(invalid).toEqual([
      { kept: '12abc34501de98', used: '12ABC34501DE98' },
      { kept: 'Aaaaaaaaaaa', used: 'AAAAAAAAAAA' },
      { kept: 'no tax id!', used: null },
      { kept: 'ßßßßßßßßßßßß', used: null },
      { kept: '１２３４５６７８９０１', used: null },
    ]);
    expect(await countInvalidFederalTaxIds(url)).toBe(10);
  });

  test.each(tables)('%s that an older instance writes have the tax id in upper case, and are unique', async (table) => {
    const insert = (taxId: string) => sql(`insert into ${table} (id, name, federal_tax_id) values ($1, 'A', $2)`, [newId(), taxId]);
    await insert('bbbbbbbbbbb');
    expect(await sql(`select count(*)::int from ${table} where federal_tax_id = 'BBBBBBBBBBB'`)).toEqual([{ count: 1 }]);
    await expect(insert('bBBBBBBBBBb')).rejects.toThrow(/unique/);
  });

  test('a record without a valid tax id can be changed', async () => {
    await sql(`update organizations set name = 'New' where federal_tax_id = '12abc34501de98'`);
    expect(await sql(`select federal_tax_id from organizations where name = 'New'`)).toEqual([{ federal_tax_id: '12abc34501de98' }]);
  });
});
