import { estados, municipios } from 'municipios-brasil/dados';
import { sql, type Transaction } from 'kysely';
import { connect, type ConnectOptions } from '../connection/database.ts';
import type { DB } from '../schema.gen.ts';

/** The numbers of rows that the load inserted or changed. */
export interface LoadedGeography {
  states: number;
  cities: number;
}

export interface LoadOptions extends Pick<ConnectOptions, 'ca'> {
  /** Loads nothing if the database already has cities, so that changes by its users are kept. */
  onlyFirst?: boolean;
}

/**
 * Loads Brazil's 27 states and 5,571 cities, in one transaction. Updates existing rows that differ. Does not change rows
 * that are not in the reference data. Adds an audit entry with the numbers of rows, unless nothing differs.
 */
export async function loadGeography(connectionString: string, options: LoadOptions = {}): Promise<LoadedGeography> {
  const { onlyFirst = false, ...connection } = options;
  const { db, close } = connect({ ...connection, connectionString, max: 1 });
  try {
    return await db.transaction().execute(async (trx) => {
      if (onlyFirst && (await trx.selectFrom('cities').select('ibgeCode').limit(1).executeTakeFirst())) return { states: 0, cities: 0 };
      // Without the lock, a concurrent load or insert could violate a unique column that is not in `on conflict`.
      await sql`lock table states, cities in share row exclusive mode`.execute(trx);
      await freeUniqueValues(trx);
      const states = await sql`
        insert into states (state_code, uf, name, latitude, longitude, region)
        select * from jsonb_to_recordset(${JSON.stringify(referenceStates)}::jsonb)
          as state (state_code int, uf text, name text, latitude float8, longitude float8, region text)
        on conflict (state_code) do update
          set (uf, name, latitude, longitude, region) = (excluded.uf, excluded.name, excluded.latitude, excluded.longitude, excluded.region)
          where (states.uf, states.name, states.latitude, states.longitude, states.region)
            is distinct from (excluded.uf, excluded.name, excluded.latitude, excluded.longitude, excluded.region)
      `.execute(trx);
      const cities = await sql`
        insert into cities (ibge_code, name, latitude, longitude, capital, state_code, siafi_id, ddd, time_zone)
        select * from jsonb_to_recordset(${JSON.stringify(referenceCities)}::jsonb) as city (
          ibge_code int, name text, latitude float8, longitude float8, capital bool, state_code int, siafi_id text, ddd int, time_zone text
        )
        on conflict (ibge_code) do update
          set (name, latitude, longitude, capital, state_code, siafi_id, ddd, time_zone) = (
            excluded.name, excluded.latitude, excluded.longitude, excluded.capital, excluded.state_code, excluded.siafi_id, excluded.ddd,
            excluded.time_zone
          )
          where (
            cities.name, cities.latitude, cities.longitude, cities.capital, cities.state_code, cities.siafi_id, cities.ddd, cities.time_zone
          ) is distinct from (
            excluded.name, excluded.latitude, excluded.longitude, excluded.capital, excluded.state_code, excluded.siafi_id, excluded.ddd,
            excluded.time_zone
          )
      `.execute(trx);
      const loaded = { states: Number(states.numAffectedRows), cities: Number(cities.numAffectedRows) };
      if (loaded.states + loaded.cities > 0) await sql`select record_geography_load(${loaded.states}, ${loaded.cities})`.execute(trx);
      return loaded;
    });
  } finally {
    await close();
  }
}

/**
 * Replaces each unique value that the load will change by a private-use character. PostgreSQL checks unique constraints row by row, so two rows
 * cannot swap their values in one update.
 */
async function freeUniqueValues(trx: Transaction<DB>): Promise<void> {
  await sql`
    update states set uf = chr(983040 + reference.place)
    from (
      select row_number() over ()::int as place, state_code, uf
      from jsonb_to_recordset(${JSON.stringify(referenceStates)}::jsonb) as state (state_code int, uf text)
    ) as reference
    where states.state_code = reference.state_code and states.uf <> reference.uf
  `.execute(trx);
  await sql`
    update cities set siafi_id = chr(983040 + reference.place)
    from (
      select row_number() over ()::int as place, ibge_code, siafi_id
      from jsonb_to_recordset(${JSON.stringify(referenceCities)}::jsonb) as city (ibge_code int, siafi_id text)
    ) as reference
    where cities.ibge_code = reference.ibge_code and cities.siafi_id <> reference.siafi_id
  `.execute(trx);
}

const referenceStates = estados.map(({ codigoUf, uf, nome, latitude, longitude, regiao }) => ({
  state_code: codigoUf,
  uf,
  name: nome,
  latitude,
  longitude,
  region: regiao,
}));

const referenceCities = municipios.map((city) => ({
  ibge_code: city.codigoIbge,
  name: city.nome,
  latitude: city.latitude,
  longitude: city.longitude,
  capital: city.capital,
  state_code: city.codigoUf,
  // Without the leading zeros of the reference data: 1 to 4 characters.
  siafi_id: String(Number(city.codigoReceitaFederal)),
  ddd: city.ddd,
  time_zone: city.fusoHorario,
}));
