import { expect, test } from 'vitest';
import { loadGeography } from '../../src/migrations/geography.ts';
import { useDatabase } from '../use-database.ts';

const { url, database, sql } = await useDatabase();
const cascades = () => sql('select operation, outcome, actor_kind, record_type, cascade from audit_entries order by occurred_at');

test('a load of the geography that changes rows adds one audit entry with their numbers and no event, another load adds none', async () => {
  const entry = { operation: 'geography.load', outcome: 'COMMITTED', actor_kind: 'SYSTEM', record_type: null };
  const first = { ...entry, cascade: { state: 27, city: 5571 } };
  await loadGeography(url);
  expect(await cascades()).toEqual([first]);
  await loadGeography(url);
  await loadGeography(url, { onlyFirst: true });
  expect(await cascades()).toEqual([first]);
  // Two cities with each other's siafi_id need temporary values.
  await database.pool.query(`
    update cities set siafi_id = '-' where ibge_code = 3550308;
    update cities set siafi_id = '7107' where ibge_code = 4106902;
    update cities set siafi_id = '7535' where ibge_code = 3550308;
    update states set name = 'Sampa' where state_code = 35`);
  await loadGeography(url);
  expect(await cascades()).toEqual([first, { ...entry, cascade: { state: 1, city: 2 } }]);
  expect(await sql('select from events')).toEqual([]);
  // An entry that cannot be written undoes the load.
  await sql("update states set name = 'Sampa' where state_code = 35");
  await sql('create function fail() returns trigger language plpgsql as $$ begin raise exception $e$no entry$e$; end $$');
  await sql('create trigger fail before insert on journal for each row execute function fail()');
  await expect(loadGeography(url)).rejects.toThrow('no entry');
  expect(await sql('select name from states where state_code = 35')).toEqual([{ name: 'Sampa' }]);
});
