import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Makes the constraints immediate again: the second of two equal inserts waits. With deferrable constraints, both were inserted and deadlocked. */
export const geographyUniqueness: Migration = {
  async up(db) {
    await sql`
      alter table states drop constraint states_uf_key, add constraint states_uf_key unique (uf);
      alter table cities drop constraint cities_siafi_id_key, add constraint cities_siafi_id_key unique (siafi_id);
    `.execute(db);
  },
};
