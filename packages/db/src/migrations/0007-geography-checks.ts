import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The order in which the constraints of states and cities are checked. */
export const geographyChecks: Migration = {
  async up(db) {
    await sql`
      -- PostgreSQL checks foreign keys in the order of their creation, and restoring a dump creates them by name. The one over city and state must be
      -- the last. Otherwise an unknown state would be reported as a city of another state.
      alter table organization_addresses
        rename constraint organization_addresses_city_state_fkey to organization_addresses_state_of_city_fkey;

      -- Checked at the end of a statement, so that loading reference data can swap the values of two rows.
      alter table states drop constraint states_uf_key, add constraint states_uf_key unique (uf) deferrable;
      alter table cities drop constraint cities_siafi_id_key, add constraint cities_siafi_id_key unique (siafi_id) deferrable;
    `.execute(db);
  },
};
