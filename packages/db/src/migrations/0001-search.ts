import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * "Contains" filters ignore case and accents: each searchable column has a stored twin made by search_text.
 * The standard-SQL bodies bind their names when they are defined, so they do not depend on a search_path.
 */
export const search: Migration = {
  async up(db) {
    await sql`
      create function search_text(value text) returns text
        language sql immutable strict parallel safe
        return lower(regexp_replace(normalize(value, nfkd), '[\\u0300-\\u036f]', '', 'g') collate "und-x-icu");

      -- Escapes after normalising, since NFKD makes a plain % of a full-width one.
      create function search_pattern(value text) returns text
        language sql immutable strict parallel safe
        return '%' || regexp_replace(search_text(value), '([\\\\%_])', '\\\\\\1', 'g') || '%';
    `.execute(db);
  },
};
