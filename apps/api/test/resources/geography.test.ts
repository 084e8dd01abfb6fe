import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { curitiba, newCity, saoPaulo } from '@profile-service/contracts/examples';
import { loadGeography } from '@profile-service/db/geography';
import { describe, expect, test } from 'vitest';
import { organizationOf } from '../support/organizations.ts';
import type { City, CityPage, OrganizationAddress, State } from '../support/records.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

const load = () => loadGeography(world.databaseUrl);
const get = async <Found>(path: string) => (await world.call<Found>(world.global, `GET /api/${path}`)).body;
const put = (path: string, body: unknown) => world.call(world.global, `PUT /api/${path}`, body);
const remove = (path: string) => world.call(world.global, `DELETE /api/${path}`);
/** The transaction that wrote each database row. It does not change if a load writes nothing. */
const writes = (table: string) => world.sql(`select xmin::text, ctid::text from ${table} order by ctid`);
/** São Paulo, Curitiba and their states. */
const fourRecords = () =>
  Promise.all(['states/35', 'states/41', `cities/${saoPaulo.cityCode}`, `cities/${curitiba.cityCode}`].map((path) => get(path)));

describe('loadGeography', () => {
  // Rules: CITIES-7, GEOGRAPHY-1, GEOGRAPHY-2, STATES-5
  test('loads 27 states and 5,571 cities, each in its state, and writes nothing if it runs again', async () => {
    expect(await loadGeography(world.databaseUrl, { onlyFirst: true })).toEqual({ states: 27, cities: 5571 });
    const totals = ['states', 'cities', 'cities?capital=true'].map(async (path) => (await get<CityPage>(path)).total);
    expect(await Promise.all(totals)).toEqual([27, 5571, 27]);
    const state = { stateCode: 35, uf: 'SP', name: 'São Paulo', latitude: -22.19, longitude: -48.79, region: 'Sudeste' };
    expect(await get('states/35')).toEqual(state);
    const city = { name: 'São Paulo', capital: true, siafiId: '7107', ddd: 11, timeZone: 'America/Sao_Paulo', stateCode: 35 };
    expect(await get('cities/3550308')).toMatchObject(city);
    const regions = await world.sql("select string_agg(distinct region, ', ') as names from states");
    expect(regions).toEqual([{ names: 'Centro-Oeste, Nordeste, Norte, Sudeste, Sul' }]);
    const wrong = "ibge_code / 100000 <> state_code or siafi_id !~ '^[1-9][0-9]{0,3}$' or ddd not between 11 and 99";
    expect(await world.sql(`select 1 from cities where ${wrong}`)).toEqual([]);
    const zones = await world.sql<{ zone: string }>('select distinct time_zone as zone from cities order by 1');
    for (const { zone } of zones) expect(Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone).toContain('America/');
    const before = [await writes('states'), await writes('cities')];
    expect(await load()).toEqual({ states: 0, cities: 0 });
    expect([await writes('states'), await writes('cities')]).toEqual(before);
  });

  // Rules: GEOGRAPHY-3
  test('restores changed and deleted records, also swapped unique values, and keeps other states and the addresses', async () => {
    const before = await fourRecords();
    const own = { stateCode: 99, uf: 'XX', name: 'Nova', latitude: 0, longitude: 0, region: 'Nova' };
    await world.create('POST /api/states', own);
    const { organizationAddressId } = await organizationOf(world);
    await remove('cities/3509502');
    // The API cannot swap unique values, so each pair is exchanged in three steps.
    for (const [path, change] of [
      ['states/35', { uf: '--', name: 'Sampa', latitude: 0 }],
      ['states/41', { uf: 'SP' }],
      ['states/35', { uf: 'PR' }],
      [`cities/${saoPaulo.cityCode}`, { siafiId: '-', name: 'Sampa', ddd: 99, capital: false, timeZone: 'America/Bahia', stateCode: 41 }],
      [`cities/${curitiba.cityCode}`, { siafiId: '7107' }],
      [`cities/${saoPaulo.cityCode}`, { siafiId: '7535' }],
    ] as const)
      expect((await put(path, change)).status).toBe(200);
    expect(await load()).toEqual({ states: 2, cities: 3 });
    expect(await fourRecords()).toEqual(before);
    expect(await get<City>('cities/3509502')).toMatchObject({ name: 'Campinas', stateCode: 35 });
    expect(await get<State>('states/99')).toEqual(own);
    expect(await get<OrganizationAddress>(`organization-addresses/${organizationAddressId}`)).toMatchObject(saoPaulo);
  });

  // Rules: GEOGRAPHY-4
  test('writes nothing with onlyFirst if there are cities already, or if one city cannot be written', async () => {
    await put('states/35', { name: 'Sampa' });
    expect(await loadGeography(world.databaseUrl, { onlyFirst: true })).toEqual({ states: 0, cities: 0 });
    await remove('cities/3509502');
    // This siafiId belongs to the missing city.
    await world.create('POST /api/cities', { ...newCity(), ibgeCode: 1, siafiId: '6291' });
    await expect(load()).rejects.toThrow('cities_siafi_id_key');
    expect((await get<State>('states/35')).name).toBe('Sampa');
    await remove('cities/1');
  });

  test('loads the data once if several loads run at the same time', async () => {
    await world.sql('delete from cities where not exists (select 1 from organization_addresses where city_code = ibge_code)');
    const loaded = await Promise.all([load(), load()]);
    expect((await get<CityPage>('cities')).total).toBe(5571);
    expect(loaded.reduce((sum, { cities }) => sum + cities, 0)).toBe(5570);
  });
});

test('pnpm geography:load prints how many records it wrote, or prints an error and exits with 1', async () => {
  const command = fileURLToPath(new URL('migrations/load-geography-command.ts', import.meta.resolve('@profile-service/db')));
  const start = (env: Record<string, string>) => promisify(execFile)(process.execPath, [command], { env });
  await put('states/35', { name: 'Sampa' });
  const stdout = 'Inserted or updated: 1 states, 0 cities\n';
  await Promise.all([
    expect(start({ DATABASE_URL: world.databaseUrl })).resolves.toMatchObject({ stdout }),
    expect(start({})).rejects.toMatchObject({ code: 1, stderr: 'DATABASE_URL is not set\n' }),
  ]);
});
