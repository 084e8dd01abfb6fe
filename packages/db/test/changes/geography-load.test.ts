import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { createTestDatabase } from '../../../../test/database.ts';
import { loadGeography } from '../../src/migrations/geography.ts';

test('a load of the geography that changes rows adds one audit entry with their numbers and no event, another load adds none', async () => {
  const url = await createTestDatabase();
  const pool = new pg.Pool({ connectionString: url, max: 2 });
  onTestFinished(() => pool.end());
  const cascades = async () => {
    const text = 'select operation, outcome, actor_kind, record_type, cascade from audit_entries order by occurred_at';
    return (await pool.query<Record<string, unknown>>(text)).rows;
  };
  const entry = { operation: 'geography.load', outcome: 'COMMITTED', actor_kind: 'SYSTEM', record_type: null };
  const first = { ...entry, cascade: { state: 27, city: 5571 } };
  await loadGeography(url);
  expect(await cascades()).toEqual([first]);
  await loadGeography(url);
  await loadGeography(url, { onlyFirst: true });
  expect(await cascades()).toEqual([first]);
  // Two cities with each other's siafi_id need temporary values.
  await pool.query(`
    update cities set siafi_id = '-' where ibge_code = 3550308;
    update cities set siafi_id = '7107' where ibge_code = 4106902;
    update cities set siafi_id = '7535' where ibge_code = 3550308;
    update states set name = 'Sampa' where state_code = 35`);
  await loadGeography(url);
  expect(await cascades()).toEqual([first, { ...entry, cascade: { state: 1, city: 2 } }]);
  expect((await pool.query('select from events')).rows).toEqual([]);
  // An entry that cannot be written undoes the load.
  await pool.query("update states set name = 'Sampa' where state_code = 35");
  await pool.query('create function fail() returns trigger language plpgsql as $$ begin raise exception $e$no entry$e$; end $$');
  await pool.query('create trigger fail before insert on journal for each row execute function fail()');
  await expect(loadGeography(url)).rejects.toThrow('no entry');
  expect((await pool.query('select name from states where state_code = 35')).rows).toEqual([{ name: 'Sampa' }]);
});
