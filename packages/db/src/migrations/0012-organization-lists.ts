import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Indexes for lists of organizations. */
export const organizationLists: Migration = {
  async up(db) {
    await sql`
      create extension if not exists pg_trgm;

      -- For "contains" filters. Without fastupdate, reads do not search a list of pending entries.
      create index organizations_search_name_idx on organizations using gin (search_name gin_trgm_ops)
        with (fastupdate = off) where deleted_at is null;

      -- Skipping the rows before a page does not read them to check whether they are deleted.
      create index organizations_live_idx on organizations (id) where deleted_at is null;
    `.execute(db);
  },
};
