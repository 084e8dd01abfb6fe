import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Searches ignore all characters of zero width, with those that change the direction of text, and letters that differ only by case (ß, ı, ς) or by a mark that
 * Unicode does not separate (ł, ø, đ, æ, œ).
 */
export const searchLetters: Migration = {
  async up(db) {
    await sql`
      -- NFKD makes plain apostrophes and dashes of wide and small ones, but a blank with a combining character of an acute accent.
      create or replace function search_text(value text) returns text
        language sql immutable strict parallel safe
        return btrim(regexp_replace(
          translate(
            replace(replace(replace(
              lower(regexp_replace(
                translate(normalize(replace(value, '´', ''''), nfkd), E'\`‘’‛ʼʹ′‐‑‒–—―−', E'\\'\\'\\'\\'\\'\\'\\'-------'),
                '[\\u0300-\\u036f\\u00ad\\u061c\\u180b-\\u180f\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\ufe00-\\ufe0f\\ufeff\\U000e0000-\\U000e0fff]',
                '', 'g'
              ) collate "und-x-icu"),
              'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'),
            'ıςłøđ', 'iσlod'
          ),
          '[ \\t-\\r\\u0085\\u1680\\u2028\\u2029]+', ' ', 'g'
        ));
    `.execute(db);
    for (const table of ['organizations', 'users', 'states', 'cities', 'document_types'].map((name) => sql.table(name))) {
      // Computes search_name again.
      await sql`update ${table} set name = name where search_name <> search_text(name)`.execute(db);
    }
  },
};
