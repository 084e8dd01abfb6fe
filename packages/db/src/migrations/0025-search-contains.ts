import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * "Contains" filters compare with one pattern, and without a list of frequent words. A trigram index reads the rows of rare groups of three characters first,
 * whatever the words are.
 */
export const searchContains: Migration = {
  async up(db) {
    await sql`
      -- PostgreSQL replaces the call by its body, so that it can use an index.
      create or replace function search_contains(searched text, value text) returns boolean
        language sql immutable parallel safe
        return searched like search_pattern(value);
      drop function search_index_pattern;
    `.execute(db);
  },
};
