import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * "Contains" filters ignore case and accents. `search_text` computes the stored column that they search.
 * Functions with standard-SQL bodies resolve names when they are created, so they do not depend on the search_path.
 */
export const search: Migration = {
  async up(db) {
    await sql`
      create function search_text(value text) returns text
        language sql immutable strict parallel safe
        return lower(regexp_replace(normalize(value, nfkd), '[\\u0300-\\u036f]', '', 'g') collate "und-x-icu");

      -- Escapes after normalizing, since NFKD converts a full-width % to a plain one.
      create function search_pattern(value text) returns text
        language sql immutable strict parallel safe
        return '%' || regexp_replace(search_text(value), '([\\\\%_])', '\\\\\\1', 'g') || '%';
    `.execute(db);
  },
};
