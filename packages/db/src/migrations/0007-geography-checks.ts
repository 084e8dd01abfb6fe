import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The order in which the constraints of states and cities are checked. */
export const geographyChecks: Migration = {
  async up(db) {
    await sql`
      -- References are checked in the order of their creation, and a restored dump creates them by name: the one over city and state has to stay
      -- the last, or an unknown state would be taken for a city of another state.
      alter table organization_addresses
        rename constraint organization_addresses_city_state_fkey to organization_addresses_state_of_city_fkey;

      -- Checked once at the end of a statement, so that reference data in which two rows swapped their values can be loaded.
      alter table states drop constraint states_uf_key, add constraint states_uf_key unique (uf) deferrable;
      alter table cities drop constraint cities_siafi_id_key, add constraint cities_siafi_id_key unique (siafi_id) deferrable;
    `.execute(db);
  },
};
