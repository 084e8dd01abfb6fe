import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Tables with tax ids that are unique among their live rows. */
const withTaxIds = [
  { table: sql.table('organizations'), isLive: sql`deleted_at is null` },
  { table: sql.table('customers'), isLive: sql`true` },
];

/**
 * Brings stored records in line with the rules of tax ids and searches.
 *
 * A tax id is 11 to 14 ASCII letters and digits, in upper case. If several records would get the same tax id, the oldest one gets it, unless one has it already.
 * The other records keep their text, and so does one without a valid tax id: the view `invalid_federal_tax_ids` lists them.
 */
export const inputRules: Migration = {
  async up(db) {
    await sql`
      -- The tax id without blanks and punctuation, in upper case. Null if it is not valid.
      create function canonical_federal_tax_id(value text) returns text language sql immutable parallel safe
        return substring(upper(regexp_replace(value, '[[:space:]./-]', '', 'g') collate "C") from '^[0-9A-Z]{11,14}$');

      update organizations set federal_tax_id = canonical_federal_tax_id(federal_tax_id)
        where deleted_at is not null and federal_tax_id <> canonical_federal_tax_id(federal_tax_id);
    `.execute(db);
    for (const { table, isLive } of withTaxIds) {
      await sql`
        with ranked as (
          select id, canonical_federal_tax_id(federal_tax_id) as canonical, row_number() over (
            partition by canonical_federal_tax_id(federal_tax_id) order by federal_tax_id = canonical_federal_tax_id(federal_tax_id) desc, id
          ) as place
          from ${table} where ${isLive}
        )
        update ${table} set federal_tax_id = canonical from ranked
          where ranked.id = ${table}.id and place = 1 and federal_tax_id <> canonical;
      `.execute(db);
    }
    await sql`
      create view invalid_federal_tax_ids as
        with records as (
          select 'organization' as type, id, federal_tax_id from organizations where deleted_at is null
          union all select 'customer', id, federal_tax_id from customers
        )
        select record.type, record.id, record.federal_tax_id, duplicate.id as duplicate_of
        from records record left join records duplicate
          on duplicate.type = record.type and duplicate.federal_tax_id = canonical_federal_tax_id(record.federal_tax_id)
        where record.federal_tax_id is distinct from canonical_federal_tax_id(record.federal_tax_id);

      -- During a rolling upgrade, an older instance still writes lower case.
      create function upper_federal_tax_id() returns trigger language plpgsql as $$
        begin
          new.federal_tax_id := upper(new.federal_tax_id collate "C");
          return new;
        end
      $$;

      -- NFKD makes plain apostrophes and dashes of wide and small ones, but a blank with a combining character of an acute accent.
      create or replace function search_text(value text) returns text
        language sql immutable strict parallel safe
        return btrim(regexp_replace(
          lower(regexp_replace(
            translate(normalize(replace(value, '´', ''''), nfkd), E'\`‘’‛ʼʹ′‐‑‒–—―−\\u200b\\u200c\\u200d\\u2060\\ufeff\\u00ad', E'\\'\\'\\'\\'\\'\\'\\'-------'),
            '[\\u0300-\\u036f]', '', 'g'
          ) collate "und-x-icu"),
          '[ \\t-\\r\\u0085\\u1680\\u2028\\u2029]+', ' ', 'g'
        ));
    `.execute(db);
    for (const { table } of withTaxIds) {
      await sql`create trigger upper_federal_tax_id before insert or update of federal_tax_id on ${table}
        for each row execute function upper_federal_tax_id()`.execute(db);
    }
    for (const table of ['organizations', 'users', 'states', 'cities', 'document_types'].map((name) => sql.table(name))) {
      // Computes search_name again.
      await sql`update ${table} set name = name where search_name <> search_text(name)`.execute(db);
    }
  },
};
