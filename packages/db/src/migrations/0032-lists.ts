import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { captureTable } from './capture-table.ts';

/** Columns and indexes for the filters and the sort fields of lists. */
export const lists: Migration = {
  async up(db) {
    await sql`
      alter table customers add column search_name text not null generated always as (search_text(name)) stored;
      alter table apps add column search_name text not null generated always as (search_text(name)) stored;
      alter table tenants add column search_name text not null generated always as (search_text(name)) stored;

      -- What a search matches besides the name. No text of a record has the separator.
      alter table organizations add column search_details text not null
        generated always as (search_text(coalesce(alias, '') || E'\\x1f' || federal_tax_id)) stored;

      create index organizations_name_idx on organizations (name collate "pt-BR-x-icu", id) where deleted_at is null;
      create index organizations_updated_at_idx on organizations (updated_at) where deleted_at is null;

      drop trigger raise_version on organizations;
      drop trigger capture_insert_delete on organizations;
      drop trigger capture_update on organizations;
    `.execute(db);
    await captureTable(db, { table: 'organizations', type: 'organization', hidden: ['search_details'] });
  },
};
