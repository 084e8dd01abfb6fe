import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** States and cities. Their names have the Portuguese collation, which sorts accented letters correctly. */
export const geography: Migration = {
  async up(db) {
    await sql`
      create table states (
        state_code  integer primary key,
        uf          text not null check (char_length(uf) <= 2),
        name        text collate "pt-BR-x-icu" not null check (name <> ''),
        latitude    double precision not null,
        longitude   double precision not null,
        region      text not null check (region <> ''),
        search_name text not null generated always as (search_text(name)) stored,
        constraint states_uf_key unique (uf)
      );
      create index states_name_idx on states (name, state_code);

      create table cities (
        ibge_code   integer primary key,
        name        text collate "pt-BR-x-icu" not null check (name <> ''),
        latitude    double precision not null,
        longitude   double precision not null,
        capital     boolean not null,
        state_code  integer not null constraint cities_state_code_fkey references states,
        siafi_id    text not null check (char_length(siafi_id) <= 4),
        ddd         integer not null,
        time_zone   text not null check (time_zone <> ''),
        search_name text not null generated always as (search_text(name)) stored,
        constraint cities_siafi_id_key unique (siafi_id),
        -- Addresses refer to this key, so that their city belongs to their state.
        constraint cities_ibge_code_state_code_key unique (ibge_code, state_code)
      );
      create index cities_name_idx on cities (name, ibge_code);
      create index cities_state_code_idx on cities (state_code, name, ibge_code);
    `.execute(db);
  },
};
