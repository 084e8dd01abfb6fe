import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { loadGeography } from '@profile-service/db/geography';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { organizationOf, saoPaulo } from '../support/organizations.ts';
import type { City, CityPage, OrganizationAddress, State, StatePage } from '../support/records.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World;
beforeAll(async () => (world = await startWorld()));
afterAll(() => world.stop());

const load = () => loadGeography(world.databaseUrl);
const get = async <Found>(path: string) => (await world.call<Found>(world.global, `GET /api/${path}`)).body;
const put = (path: string, body: unknown) => world.call(world.global, `PUT /api/${path}`, body);
/** The transaction that wrote each database row. It does not change if a load writes nothing. */
const writes = (table: string) => world.sql(`select xmin::text, ctid::text from ${table} order by ctid`);

describe('loadGeography', () => {
  // Rules: GEOGRAPHY-1
  test('loads 27 states and 5,571 cities, each in its state', async () => {
    expect(await loadGeography(world.databaseUrl, { onlyFirst: true })).toEqual({ states: 27, cities: 5571 });
    expect((await get<StatePage>('states')).total).toBe(27);
    expect((await get<CityPage>('cities')).total).toBe(5571);
    expect((await get<CityPage>('cities?capital=true')).total).toBe(27);
    const regions = await world.sql('select region, count(*)::int as states from states group by 1 order by 1');
    expect(regions).toEqual([
      { region: 'Centro-Oeste', states: 4 },
      { region: 'Nordeste', states: 9 },
      { region: 'Norte', states: 7 },
      { region: 'Sudeste', states: 4 },
      { region: 'Sul', states: 3 },
    ]);
    expect(await world.sql('select 1 from cities where ibge_code / 100000 <> state_code')).toEqual([]);
    expect(await world.sql("select 1 from cities where siafi_id !~ '^[1-9][0-9]{0,3}$' or ddd not between 11 and 99")).toEqual([]);
    const zones = await world.sql<{ zone: string }>('select distinct time_zone as zone from cities order by 1');
    for (const { zone } of zones) expect(Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone).toContain('America/');
  });

  // Rules: GEOGRAPHY-2
  test('writes nothing if it runs again', async () => {
    const before = [await writes('states'), await writes('cities')];
    expect(await load()).toEqual({ states: 0, cities: 0 });
    expect([await writes('states'), await writes('cities')]).toEqual(before);
  });

  // Rules: GEOGRAPHY-3
  test('restores changed and deleted records and nothing else', async () => {
    const [state, city] = [await get<State>('states/35'), await get<City>('cities/3550308')];
    await put('states/35', { name: 'Sampa', latitude: 0 });
    await put('cities/3550308', { name: 'Sampa', ddd: 99, capital: false, timeZone: 'America/Bahia' });
    await world.call(world.global, 'DELETE /api/cities/3509502');
    expect(await load()).toEqual({ states: 1, cities: 2 });
    expect([await get<State>('states/35'), await get<City>('cities/3550308')]).toEqual([state, city]);
    expect(await get<City>('cities/3509502')).toMatchObject({ name: 'Campinas', stateCode: 35 });
  });

  test('loads nothing with onlyFirst if there are states already', async () => {
    const { name } = await get<State>('states/35');
    await put('states/35', { name: 'Sampa' });
    expect(await loadGeography(world.databaseUrl, { onlyFirst: true })).toEqual({ states: 0, cities: 0 });
    expect((await get<State>('states/35')).name).toBe('Sampa');
    await put('states/35', { name });
  });

  test('keeps states outside the reference data, and the addresses in its cities', async () => {
    const own = { stateCode: 99, uf: 'XX', name: 'Nova', latitude: 0, longitude: 0, region: 'Nova' };
    await world.create('POST /api/states', own);
    const { organizationAddressId } = await organizationOf(world);
    expect(await load()).toEqual({ states: 0, cities: 0 });
    expect(await get<State>('states/99')).toEqual(own);
    expect(await get<OrganizationAddress>(`organization-addresses/${organizationAddressId}`)).toMatchObject(saoPaulo);
  });

  test('restores two records that have swapped their unique values', async () => {
    const [one, other] = [await get<City>('cities/3550308'), await get<City>('cities/4106902')];
    const setSiafiId = (ibgeCode: number, siafiId: string) =>
      world.sql('update cities set siafi_id = $2 where ibge_code = $1', [ibgeCode, siafiId]);
    const setUf = (stateCode: number, uf: string) => world.sql('update states set uf = $2 where state_code = $1', [stateCode, uf]);
    for (const [ibgeCode, siafiId] of [
      [3550308, '-'],
      [4106902, one.siafiId],
      [3550308, other.siafiId],
    ] as const)
      await setSiafiId(ibgeCode, siafiId);
    for (const [stateCode, uf] of [
      [35, '-'],
      [41, 'SP'],
      [35, 'PR'],
    ] as const)
      await setUf(stateCode, uf);
    expect(await load()).toEqual({ states: 2, cities: 2 });
    expect([await get<City>('cities/3550308'), await get<City>('cities/4106902')]).toEqual([one, other]);
    expect(await get<State>('states/35')).toMatchObject({ uf: 'SP' });
  });

  test('moves a city back into its state, with its addresses', async () => {
    const { organizationAddressId } = await organizationOf(world);
    await put(`cities/${saoPaulo.cityCode}`, { stateCode: 41 });
    expect(await load()).toEqual({ states: 0, cities: 1 });
    expect(await get<OrganizationAddress>(`organization-addresses/${organizationAddressId}`)).toMatchObject(saoPaulo);
  });

  // Rules: GEOGRAPHY-4
  test('writes nothing if one city cannot be written', async () => {
    await put('states/35', { name: 'Sampa' });
    await world.call(world.global, 'DELETE /api/cities/3509502');
    // This siafiId belongs to the missing city.
    const taken = {
      ibgeCode: 1,
      name: 'Taken',
      latitude: 0,
      longitude: 0,
      capital: false,
      stateCode: 35,
      ddd: 19,
      timeZone: 'America/Bahia',
    };
    await world.create('POST /api/cities', { ...taken, siafiId: '6291' });
    await expect(load()).rejects.toThrow('cities_siafi_id_key');
    expect((await get<State>('states/35')).name).toBe('Sampa');
    await world.call(world.global, 'DELETE /api/cities/1');
    expect(await load()).toEqual({ states: 1, cities: 1 });
  });

  test('loads the data once if several loads run at the same time', async () => {
    await world.sql('delete from cities where not exists (select 1 from organization_addresses where city_code = ibge_code)');
    const loaded = await Promise.all([load(), load(), load()]);
    expect((await get<CityPage>('cities')).total).toBe(5571);
    expect(loaded.reduce((sum, { cities }) => sum + cities, 0)).toBe(5570);
  });
});

describe('pnpm geography:load', () => {
  const command = fileURLToPath(new URL('load-geography-command.ts', import.meta.resolve('@profile-service/db')));
  const start = (env: Record<string, string>) => promisify(execFile)(process.execPath, [command], { env });

  test('prints how many records it wrote', async () => {
    await put('states/35', { name: 'Sampa' });
    const { stdout } = await start({ DATABASE_URL: world.databaseUrl });
    expect(stdout).toBe('Inserted or updated: 1 states, 0 cities\n');
  });

  test('prints an error and exits with 1 for a missing or wrong DATABASE_URL', async () => {
    await expect(start({})).rejects.toMatchObject({ code: 1, stderr: 'DATABASE_URL is not set\n' });
    await expect(start({ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing' })).rejects.toMatchObject({ code: 1 });
  });
});
