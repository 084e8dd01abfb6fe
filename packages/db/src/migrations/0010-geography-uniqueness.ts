import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Uniqueness that makes the later of two equal inserts wait: a deferrable constraint lets both in, and they end in a deadlock. */
export const geographyUniqueness: Migration = {
  async up(db) {
    await sql`
      alter table states drop constraint states_uf_key, add constraint states_uf_key unique (uf);
      alter table cities drop constraint cities_siafi_id_key, add constraint cities_siafi_id_key unique (siafi_id);
    `.execute(db);
  },
};
