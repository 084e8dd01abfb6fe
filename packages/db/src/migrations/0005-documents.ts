import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Document types and attachments. */
export const documents: Migration = {
  async up(db) {
    await sql`
      create table document_types (
        id                    uuid primary key,
        name                  text not null check (name <> ''),
        is_required           boolean not null default false,
        description           text,
        requires_approval     boolean not null default false,
        has_expiration        boolean not null default false,
        default_validity_days integer check (default_validity_days > 0),
        has_authenticity_code boolean not null default false,
        is_active             boolean not null default true,
        created_at            timestamptz(3) not null default now(),
        updated_at            timestamptz(3) not null default now(),
        search_name           text not null generated always as (search_text(name)) stored,
        constraint document_types_name_key unique (name),
        constraint document_types_validity_check check (has_expiration or default_validity_days is null)
      );

      -- entity_id may be the id of any record, so it is not a foreign key. tenant_id is the active tenant at the upload.
      create table attachments (
        id                uuid primary key,
        entity_type       text not null default 'DOCUMENT' check (entity_type in ('DOCUMENT', 'ORGANIZATION', 'CUSTOMER', 'USER')),
        entity_id         uuid,
        file_path         text not null,
        original_filename text not null,
        description       text,
        external          boolean not null default false,
        user_id           uuid not null constraint attachments_user_id_fkey references users,
        tenant_id         uuid constraint attachments_tenant_id_fkey references tenants on delete set null,
        content_type      text not null,
        size              bigint not null check (size >= 0),
        created_at        timestamptz(3) not null default now(),
        updated_at        timestamptz(3) not null default now(),
        deleted_at        timestamptz(3),
        constraint attachments_file_path_key unique (file_path)
      );
      create index attachments_entity_id_idx on attachments (entity_id, id);
      create index attachments_user_id_idx on attachments (user_id, id);
      create index attachments_tenant_id_idx on attachments (tenant_id, id);
    `.execute(db);
  },
};
