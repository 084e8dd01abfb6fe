import { expect, test } from 'vitest';
import { migrate, newId } from '../src/index.ts';
import { createOldDatabase } from './old-database.ts';
import { openDatabase } from './use-database.ts';

/** Tax ids before the migration and after it, in order of creation, and the tax id of the record that has it. */
const cases: [before: string, after: string, duplicateOf?: string][] = [
  ['12ABC34501DE98', '12ABC34501DE98'],
  ['12abc34501de98', '12abc34501de98', '12ABC34501DE98'],
  ['aaaaaaaaaaa', 'AAAAAAAAAAA'],
  ['Aaaaaaaaaaa', 'Aaaaaaaaaaa', 'AAAAAAAAAAA'],
  [' 400000209533 ', '400000209533'],
  ['123.456-78901', '12345678901'],
  ['34567890000130', '34567890000130'],
  ['no tax id!', 'no tax id!'],
  ['ßßßßßßßßßßßß', 'ßßßßßßßßßßßß'],
  ['１２３４５６７８９０１', '１２３４５６７８９０１'],
];

// Rules: ORGANIZATIONS-5
test.each([
  ['organizations', 'search_name'],
  ['customers', 'search_text(name)'],
])('the migrations correct tax ids and the texts of searches of %s, and lose nothing', async (table, searched) => {
  const { url, sql } = await openDatabase({ connectionString: await createOldDatabase('0020-related-organizations') });
  const insert = (taxId: string) =>
    sql(`insert into ${table} (id, name, federal_tax_id) values ($1, 'Café  d’Ávila Weiß', $2)`, [newId(), taxId]);
  const rows = () =>
    sql<{ id: string; taxId: string; version: number }>(`select id, federal_tax_id as "taxId", version from ${table} order by id`);
  for (const [taxId] of cases) await insert(taxId);
  const before = await rows();

  await migrate(url);

  const after = await rows();
  expect(after.map(({ id, taxId }) => ({ id, taxId }))).toEqual(before.map(({ id }, index) => ({ id, taxId: cases[index]?.[1] })));
  // Only a record that has changed gets a new version.
  const changed = after.filter(({ version }, index) => version !== before[index]?.version);
  expect(changed.map(({ taxId }) => taxId)).toEqual(cases.filter(([old, now]) => old !== now).map(([, now]) => now));
  const invalid = await sql(
    `select invalid.federal_tax_id as kept, record.federal_tax_id as used from invalid_federal_tax_ids invalid
     left join ${table} record on record.id = duplicate_of order by invalid.id`,
  );
  const listed = cases.filter(([, now, used]) => used || !/^[0-9A-Z]{11,14}$/.test(now));
  expect(invalid).toEqual(listed.map(([, kept, used = null]) => ({ kept, used })));

  // A record without a valid tax id can be changed, and an older instance may still write lower case.
  await sql(`update ${table} set name = 'New' where federal_tax_id = '12abc34501de98'`);
  await insert('bbbbbbbbbbb');
  expect((await rows()).map(({ taxId }) => taxId)).toEqual([...cases.map(([, now]) => now), 'BBBBBBBBBBB']);
  await expect(insert('bBBBBBBBBBb')).rejects.toThrow(/unique/);
  expect(await sql('select from audit_entries')).toEqual([]);
  expect(await sql(`select distinct ${searched} as text from ${table} where name <> 'New'`)).toEqual([{ text: "cafe d'avila weiss" }]);
});
