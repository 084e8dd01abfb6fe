import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Indexes for pages of long lists. */
export const listIndexes: Migration = {
  async up(db) {
    await sql`
      create extension if not exists pg_trgm;

      -- For "contains" filters. Without fastupdate, a read need not search a list of pending entries.
      create index organizations_search_name_idx on organizations using gin (search_name gin_trgm_ops)
        with (fastupdate = off) where deleted_at is null;
      create index users_search_name_idx on users using gin (search_name gin_trgm_ops)
        with (fastupdate = off) where deleted_at is null;
      create index users_search_email_idx on users using gin (email gin_trgm_ops)
        with (fastupdate = off) where deleted_at is null;

      -- To skip the rows before a page, PostgreSQL need not check whether each is deleted.
      create index organizations_live_idx on organizations (id) where deleted_at is null;
    `.execute(db);
  },
};
